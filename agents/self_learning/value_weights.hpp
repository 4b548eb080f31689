// The file of weights of a learned value. value_weights.py writes it and specifies it.
#pragma once

#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace arena::value {

// Whole numbers stand for real ones: a weight of 1 is stored as this.
inline constexpr int first_scale = 508, second_scale = 64, output_scale = 256;
// The first layer ends in numbers from 0 to `most_input`, which stand for 0 to 1; the second in numbers up to 32767.
inline constexpr int most_input = 127, input_shift = 2, hidden_shift = 3;
static_assert(first_scale == most_input << input_shift);
inline constexpr int hidden_scale = most_input * second_scale >> hidden_shift;
// So that no sum in the last layer leaves 32 bits.
inline constexpr int most_output_weight = 1000, most_second = 64;
// A value of 1 is the logit of a win, in thousandths.
inline constexpr int value_scale = 1000;

struct BadWeights : std::runtime_error {
    using std::runtime_error::runtime_error;
};

struct Weights {
    std::string game;
    int inputs = 0, first = 0, second = 0;  // the sizes of the layers
    std::vector<std::int16_t> first_weights;  // by input, then by unit
    std::vector<std::int16_t> first_bias;
    std::vector<std::int8_t> second_weights;  // by unit of the second layer, then by unit of the first
    std::vector<std::int32_t> second_bias;
    std::vector<std::int16_t> output_weights;
    std::int32_t output_bias = 0;

    // Throws `BadWeights` unless these bytes are exactly one file.
    static Weights read(std::string_view bytes);
};

// Takes numbers from the start of a file, in the byte order of x86 and ARM.
class Reader {
public:
    explicit Reader(std::string_view bytes) : left_(bytes) {}

    template <typename Number>
    Number one() {
        Number number;
        std::memcpy(&number, take(sizeof number), sizeof number);
        return number;
    }
    template <typename Number>
    std::vector<Number> many(std::size_t size) {
        const char* from = take(size * sizeof(Number));
        std::vector<Number> numbers(size);
        std::memcpy(numbers.data(), from, size * sizeof(Number));
        return numbers;
    }
    std::string text(std::size_t size) {
        const std::string_view found(take(size), size);
        return std::string(found.substr(0, found.find('\0')));
    }
    bool done() const { return left_.empty(); }

private:
    const char* take(std::size_t size) {
        if (size > left_.size()) throw BadWeights("the file of weights is too short");
        const char* from = left_.data();
        left_.remove_prefix(size);
        return from;
    }
    std::string_view left_;
};

inline Weights Weights::read(std::string_view bytes) {
    Reader reader(bytes);
    if (reader.text(8) != "arenaval") throw BadWeights("not a file of weights of a learned value");
    if (reader.one<std::uint32_t>() != 1) throw BadWeights("the file of weights has an unknown version");
    Weights made;
    made.game = reader.text(16);
    const auto inputs = reader.one<std::uint32_t>(), first = reader.one<std::uint32_t>(), second = reader.one<std::uint32_t>();
    if (inputs < 1 || inputs > 65535 || first < 32 || first > 1024 || first % 32 || second < 8 || second > most_second || second % 8)
        throw BadWeights("the file of weights has layers of impossible sizes");
    made.inputs = static_cast<int>(inputs), made.first = static_cast<int>(first), made.second = static_cast<int>(second);
    for (const int scale : {first_scale, second_scale, output_scale})
        if (reader.one<std::int32_t>() != scale) throw BadWeights("the file of weights has unknown scales");
    made.first_weights = reader.many<std::int16_t>(std::size_t{inputs} * first);
    made.first_bias = reader.many<std::int16_t>(first);
    made.second_weights = reader.many<std::int8_t>(std::size_t{second} * first);
    made.second_bias = reader.many<std::int32_t>(second);
    made.output_weights = reader.many<std::int16_t>(second);
    made.output_bias = reader.one<std::int32_t>();
    if (!reader.done()) throw BadWeights("the file of weights is too long");
    for (const std::int32_t bias : made.second_bias)
        if (bias < -(1 << 30) || bias > 1 << 30) throw BadWeights("the file of weights has numbers out of range");
    for (const std::int16_t weight : made.output_weights)
        if (weight < -most_output_weight || weight > most_output_weight)
            throw BadWeights("the file of weights has numbers out of range");
    return made;
}

}  // namespace arena::value
