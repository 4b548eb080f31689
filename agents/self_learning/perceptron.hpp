// A small multi-layer perceptron with heads for value, policy and margin, evaluated from a buffer of weights.
//
// Inputs and activations are sparse, so a layer adds the weight rows of the numbers that are not zero. Every output is
// summed in the order of the inputs with separate multiplications and additions. That makes the results independent of the
// number of lanes: the AVX2 form and the plain form are equal to the bit, and a position has the same result in any batch.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace arena::learning {

// The numbers of a vector that are not zero.
struct Sparse {
    std::vector<std::uint32_t> index;
    std::vector<float> value;

    void clear() {
        index.clear();
        value.clear();
    }
    // Take the numbers that are not zero; `floor` 0 is the rectifier (ReLU).
    void take(const float* numbers, int size, bool rectified) {
        index.resize(static_cast<std::size_t>(size));
        value.resize(static_cast<std::size_t>(size));
        std::size_t used = 0;
        for (int at = 0; at < size; ++at) {
            index[used] = static_cast<std::uint32_t>(at);
            value[used] = numbers[at];
            used += rectified ? numbers[at] > 0 : numbers[at] != 0;
        }
        index.resize(used);
        value.resize(used);
    }
};

namespace lanes {

// Eight numbers that are added and multiplied together: one AVX register, or two or more smaller ones.
typedef float Lane __attribute__((vector_size(32)));
typedef float StoredLane __attribute__((vector_size(32), aligned(4), may_alias));
inline constexpr int lane = 8, block = 8;  // numbers in a lane, lanes that fit into the registers

// out = bias + the sum of value * row, for some lanes of the rows.
template <int width>
[[gnu::always_inline]] inline void add_rows(const float* rows, std::size_t stride, const Sparse& in, const float* bias, float* out) {
    const StoredLane* start = reinterpret_cast<const StoredLane*>(bias);
    StoredLane* end = reinterpret_cast<StoredLane*>(out);
    Lane sum[width];
#pragma GCC unroll 8
    for (int at = 0; at < width; ++at) sum[at] = start[at];
    const std::size_t size = in.index.size();
    const std::uint32_t* index = in.index.data();
    const float* value = in.value.data();
    for (std::size_t each = 0; each < size; ++each) {
        const StoredLane* row = reinterpret_cast<const StoredLane*>(rows + index[each] * stride);
        const float one = value[each];
        const Lane factor = {one, one, one, one, one, one, one, one};
#pragma GCC unroll 8
        for (int at = 0; at < width; ++at) sum[at] += factor * row[at];
    }
#pragma GCC unroll 8
    for (int at = 0; at < width; ++at) end[at] = sum[at];
}

[[gnu::always_inline]] inline void layer(const float* rows, std::size_t stride, const Sparse& in, const float* bias, float* out) {
    std::size_t at = 0;
    for (; at + block * lane <= stride; at += block * lane) add_rows<block>(rows + at, stride, in, bias + at, out + at);
    for (; at < stride; at += lane) add_rows<1>(rows + at, stride, in, bias + at, out + at);
}

// The sums of the eight places of a lane are added in a fixed order.
[[gnu::always_inline]] inline float product(const float* one, const float* other, std::size_t size) {
    const StoredLane* left = reinterpret_cast<const StoredLane*>(one);
    const StoredLane* right = reinterpret_cast<const StoredLane*>(other);
    Lane even = {}, odd = {};
    std::size_t at = 0;
    for (; at + 2 <= size / lane; at += 2) {
        even += left[at] * right[at];
        odd += left[at + 1] * right[at + 1];
    }
    if (at < size / lane) even += left[at] * right[at];
    const Lane sum = even + odd;
    return ((sum[0] + sum[4]) + (sum[2] + sum[6])) + ((sum[1] + sum[5]) + (sum[3] + sum[7]));
}

inline void layer_plain(const float* rows, std::size_t stride, const Sparse& in, const float* bias, float* out) {
    layer(rows, stride, in, bias, out);
}
inline float product_plain(const float* one, const float* other, std::size_t size) { return product(one, other, size); }

#if defined(__x86_64__) && defined(__GNUC__)
[[gnu::target("avx2")]] inline void layer_avx2(const float* rows, std::size_t stride, const Sparse& in, const float* bias, float* out) {
    layer(rows, stride, in, bias, out);
}
[[gnu::target("avx2")]] inline float product_avx2(const float* one, const float* other, std::size_t size) {
    return product(one, other, size);
}
inline bool has_avx2() { return __builtin_cpu_supports("avx2"); }
#else
inline constexpr auto layer_avx2 = layer_plain;
inline constexpr auto product_avx2 = product_plain;
inline bool has_avx2() { return false; }
#endif

}  // namespace lanes

// The sizes of a network: inputs, hidden layers, actions.
struct PerceptronShape {
    int inputs = 0;
    std::vector<int> hidden;
    int actions = 0;

    // The number of weights in the buffer: for each hidden layer its weights by input, then its bias; then weights and bias
    // of the value, the margin, and the policy by action.
    std::size_t weights() const {
        std::size_t sum = 0;
        auto before = static_cast<std::size_t>(inputs);
        for (const int width : hidden) {
            sum += (before + 1) * static_cast<std::size_t>(width);
            before = static_cast<std::size_t>(width);
        }
        return sum + (before + 1) * (2 + static_cast<std::size_t>(actions));
    }
};

class Perceptron {
public:
    Perceptron(const PerceptronShape& shape, const float* weights, bool wide) : shape_(shape) {
        const bool avx2 = wide && lanes::has_avx2();
        layer_ = avx2 ? lanes::layer_avx2 : lanes::layer_plain;
        product_ = avx2 ? lanes::product_avx2 : lanes::product_plain;
        int before = shape.inputs;
        for (const int width : shape.hidden) {
            layers_.push_back(padded(before, width, weights));
            before = width;
        }
        last_ = rounded(before);
        value_ = head(before, 1, weights);
        margin_ = head(before, 1, weights);
        policy_ = head(before, shape.actions, weights);
        std::size_t widest = last_;
        for (const Layer& layer : layers_) widest = std::max(widest, layer.stride);
        out_.resize(widest);
    }
    const PerceptronShape& shape() const { return shape_; }

    // Read a position. The functions below then belong to it.
    void read(const float* inputs) {
        active_.take(inputs, shape_.inputs, false);
        for (std::size_t at = 0; at < layers_.size(); ++at) {
            const Layer& layer = layers_[at];
            layer_(layer.rows.data(), layer.stride, active_, layer.bias.data(), out_.data());
            if (at + 1 < layers_.size()) active_.take(out_.data(), static_cast<int>(layer.stride), true);
        }
        for (std::size_t at = 0; at < last_; ++at) out_[at] = std::max(out_[at], 0.0F);
    }
    // From -1 to 1, for the side to move.
    float value() const { return std::tanh(dot(value_, 0)); }
    float margin() const { return dot(margin_, 0); }
    float logit(int action) const { return dot(policy_, static_cast<std::size_t>(action)); }

private:
    // Weights by input; the rows are padded with zeros to a whole number of lanes.
    struct Layer {
        std::size_t stride;
        std::vector<float> rows, bias;
    };

    static std::size_t rounded(int width) {
        return (static_cast<std::size_t>(width) + lanes::lane - 1) / lanes::lane * lanes::lane;
    }
    static Layer padded(int inputs, int width, const float*& weights) {
        Layer layer{rounded(width), {}, {}};
        const auto size = static_cast<std::size_t>(width);
        // One zero row for each padded input: the layer before may be padded too.
        layer.rows.resize(rounded(inputs) * layer.stride);
        layer.bias.resize(layer.stride);
        for (std::size_t row = 0; row < static_cast<std::size_t>(inputs); ++row, weights += size)
            std::copy(weights, weights + size, layer.rows.data() + row * layer.stride);
        std::copy(weights, weights + size, layer.bias.data());
        weights += size;
        return layer;
    }
    static Layer head(int inputs, int outputs, const float*& weights) {
        Layer layer{rounded(inputs), {}, {}};
        layer.rows.resize(static_cast<std::size_t>(outputs) * layer.stride);
        for (std::size_t row = 0; row < static_cast<std::size_t>(outputs); ++row, weights += inputs)
            std::copy(weights, weights + inputs, layer.rows.data() + row * layer.stride);
        layer.bias.assign(weights, weights + outputs);
        weights += outputs;
        return layer;
    }
    float dot(const Layer& head, std::size_t row) const {
        return product_(head.rows.data() + row * head.stride, out_.data(), last_) + head.bias[row];
    }

    PerceptronShape shape_;
    std::vector<Layer> layers_;
    Layer value_, margin_, policy_;
    std::size_t last_ = 0;
    Sparse active_;
    std::vector<float> out_;
    void (*layer_)(const float*, std::size_t, const Sparse&, const float*, float*);
    float (*product_)(const float*, const float*, std::size_t);
};

}  // namespace arena::learning
