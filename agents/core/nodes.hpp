// The nodes of a search tree in one block of memory.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <type_traits>
#include <utility>

namespace arena::search {

// The children of a node follow one another: `size` of them from index `first` on. No children yet: `first` is 0.
template <typename Node>
concept TreeNode = std::is_trivially_copyable_v<Node> && requires(const Node& node) {
    { node.first } -> std::convertible_to<std::uint32_t>;
    { node.size } -> std::convertible_to<std::uint16_t>;
};

// The `size` of a node whose game is over. Its `first` is not an index then.
inline constexpr std::uint16_t finished = 65535;

template <TreeNode Node>
class Nodes {
public:
    // There is never room for more nodes. Memory that is never touched costs nothing.
    explicit Nodes(std::uint32_t room) : room_(room) {}
    ~Nodes() {
        std::free(nodes_);
        std::free(spare_);
    }
    Nodes(const Nodes&) = delete;
    Nodes& operator=(const Nodes&) = delete;

    Node& operator[](std::uint32_t node) { return nodes_[node]; }
    const Node& operator[](std::uint32_t node) const { return nodes_[node]; }
    std::uint32_t used() const { return used_; }
    std::uint32_t room() const { return room_; }
    bool has_room(int size) const { return static_cast<std::uint32_t>(size) <= room_ - used_; }

    // Forget all nodes but an empty root.
    void clear() {
        if (!nodes_) nodes_ = allocate();
        used_ = 1;
        nodes_[0] = {};
    }
    // There must be room for it.
    void add(const Node& node) { nodes_[used_++] = node; }

    // Make a node the root. Nodes that are not below it are forgotten.
    void keep(std::uint32_t start) {
        Node* kept = spare_ ? std::exchange(spare_, nullptr) : allocate();  // may throw: nothing has changed yet
        Node* old = std::exchange(nodes_, kept);
        nodes_[0] = old[start];
        used_ = 1;
        for (std::uint32_t node = 0; node < used_; ++node) {
            Node& here = nodes_[node];
            if (!here.first || here.size == finished) continue;
            std::copy(old + here.first, old + here.first + here.size, nodes_ + used_);
            here.first = used_;
            used_ += here.size;
        }
        // The memory of a small tree is used again: a search of few simulations would spend its time on new pages.
        if (room_ <= small) spare_ = old;
        else std::free(old);
    }

private:
    static constexpr std::uint32_t small = 1 << 17;

    Node* allocate() const {
        auto* nodes = static_cast<Node*>(std::malloc(room_ * sizeof(Node)));
        if (!nodes) throw std::bad_alloc();
        return nodes;
    }

    std::uint32_t room_, used_ = 0;
    Node *nodes_ = nullptr, *spare_ = nullptr;
};

}  // namespace arena::search
