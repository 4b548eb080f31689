// Plays random moves in any game: an entrant over JSON lines, written without a JSON library.
//   g++ -O2 -o random_bot random_bot.cpp
//   arena play 'json:command=./random_bot' random --game othello
#include <iostream>
#include <random>
#include <string>
#include <vector>

int main() {
    std::mt19937 dice;
    std::string line;
    while (std::getline(std::cin, line)) {
        auto says = [&line](const char *text) { return line.find(text) != std::string::npos; };
        if (says("\"type\":\"start\"")) {
            dice.seed(std::stoul(line.substr(line.find("\"seed\":") + 7)));
            std::cout << R"({"type":"ready","name":"Random in C++ 1.0"})" << std::endl;
        } else if (says("\"type\":\"move\"")) {
            // The moves are the texts between the brackets of "legal":["d3","c4","f5","e6"].
            std::vector<std::string> legal;
            size_t at = line.find("\"legal\":[") + 9;
            for (const size_t end = line.find(']', at); (at = line.find('"', at)) < end; at++) {
                const size_t from = at + 1;
                at = line.find('"', from);
                legal.push_back(line.substr(from, at - from));
            }
            std::cout << R"({"move":")" << legal[dice() % legal.size()] << R"("})" << std::endl;
        } else if (says("\"type\":\"end\"")) {
            break;
        }
    }
}
