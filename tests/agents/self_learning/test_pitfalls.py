"""Twenty mistakes that self-learning programs make without showing an error, and the tests that find them.

| number | what must hold | tests |
|---|---|---|
| 1 | A value changes its sign from turn to turn: a mate in one gets the visits and a value of 1, for both colours. |
`test_pitfall_01_a_mate_in_one_gets_the_visits_and_a_value_of_one_for_either_colour` |
| 2 | Virtual loss is taken back; with one leaf at a time it changes nothing. |
`test_pitfall_02_virtual_loss_is_taken_back`, `test_pitfall_02_with_one_leaf_at_a_time_virtual_loss_changes_nothing` |
| 3 | If a side passes or moves twice, the sign follows the side that moves. |
`test_pitfall_03_passes_and_turns_count_for_the_side_that_moves_as_in_the_python_search`,
`test_pitfall_03_a_forced_pass_keeps_the_sign` |
| 4 | Games that material decides are won in the search too: stalemate, turn limit, repetition and others. |
`test_pitfall_04_endings_count_as_the_rules_say`, `test_pitfall_04_a_fifth_repetition_ends_the_game_in_the_tree`,
`test_pitfall_04_the_learned_value_is_asked_only_where_the_game_goes_on` |
| 5 | Drawn games stay draws in samples and labels. | `test_pitfall_05_a_drawn_game_gives_draws`,
`test_pitfall_05_drawn_games_stay_draws_and_margins_agree_with_results` |
| 6 | Repetitions and turns are inputs, and every input is part of the key of a cache. |
`test_pitfall_06_repetitions_turns_and_limits_are_inputs`,
`test_pitfall_06_positions_that_differ_only_in_repetition_or_turn_are_different_keys`,
`test_pitfall_06_repetition_and_turns_left_are_part_of_the_key` |
| 7 | Every legal move has its own action, also promotions and castling of both colours. |
`test_pitfall_07_every_legal_move_has_its_own_index`,
`test_pitfall_07_promotions_and_castling_of_both_colours_are_among_the_moves` |
| 8 | A position and the same one with colours exchanged have the same inputs; castling rights change sides. |
`test_pitfall_08_the_rotated_board_of_microchess_has_the_same_encoding`,
`test_pitfall_08_castling_rights_swap_with_the_side_to_move`,
`test_pitfall_08_a_turned_position_has_the_same_features` |
| 9 | A symmetry turns the policy too; a pass stays a pass. | `test_pitfall_09_symmetries_permute_the_policy_too`,
`test_pitfall_09_the_pass_stays_where_it_is`,
`test_pitfall_09_augmented_samples_are_positions_and_policies_of_the_turned_game` |
| 10 | The masked loss of the policy is finite whatever the logits. |
`test_pitfall_10_the_loss_and_its_gradient_are_finite_whatever_the_logits`,
`test_pitfall_10_actions_that_are_not_legal_have_no_part` |
| 11 | The loss of the policy is summed over actions and averaged over the batch. |
`test_pitfall_11_the_policy_loss_is_summed_over_actions_and_averaged_over_the_batch` |
| 12 | Noise is at the root, in self-play only, and comes again when a tree is kept; no temperature in the target. |
`test_pitfall_12_noise_is_at_the_root_only_and_comes_again_when_the_tree_is_kept`,
`test_pitfall_12_without_noise_two_searches_are_equal_whatever_the_seed`, `test_equal_simulations_give_equal_moves`,
`test_pitfall_12_the_temperature_is_not_in_the_target` |
| 13 | A finished game is not searched, and openings in which it ends are drawn again. |
`test_pitfall_13_a_finished_game_has_no_move_to_choose`,
`test_pitfall_13_a_start_that_is_over_gives_a_game_without_samples`,
`test_pitfall_13_openings_in_which_the_game_ends_are_tried_again`,
`test_pitfall_13_openings_that_are_over_are_played_anew` |
| 14 | What is exported equals the net in torch; rounded weights play as well as exact ones. |
`test_pitfall_14_every_evaluator_of_an_exported_network_equals_torch`,
`test_pitfall_14_the_rounded_net_equals_the_net_on_real_positions`,
`test_pitfall_14_the_rounded_net_plays_as_well_as_the_net`,
`test_pitfall_14_half_precision_plays_as_well` |
| 15 | New weights get a new cache. | `test_pitfall_15_a_cache_belongs_to_one_network`,
`test_pitfall_06_and_15_self_play_through_a_cache_equals_self_play_without` |
| 16 | Workers, training and players have one thread each. |
`test_pitfall_16_two_workers_have_one_thread_each_and_die_with_their_run_which_then_resumes_exactly`,
`test_pitfall_16_training_has_one_thread`, `test_pitfall_16_no_evaluator_starts_a_thread`,
`test_a_player_inherits_no_descriptor_and_no_privilege` |
| 17 | Ladders, gates and benchmarks play each opening twice, with sides swapped. |
`test_pitfall_17_the_ladder_plays_each_opening_twice_with_sides_swapped`,
`test_pitfall_17_a_gate_is_a_match_of_the_two_nets_from_paired_openings`,
`test_pitfall_17_a_match_of_a_goal_has_an_even_number_of_games_from_paired_openings` |
| 18 | Only full searches teach the policy. | `test_pitfall_18_only_full_searches_are_stored_or_marked`,
`test_pitfall_18_fast_searches_teach_the_value_but_not_the_policy` |
| 19 | Workers have different seeds and play different games. |
`test_pitfall_19_seeds_differ_between_chunks_generations_and_runs`,
`test_pitfall_19_other_seeds_give_other_games_and_so_do_the_games_of_a_chunk`,
`test_pitfall_19_other_seeds_give_other_games` |
| 20 | A run that was killed goes on to the same bits: net, optimiser, memory, random numbers. |
`test_pitfall_20_exact_resume_after_a_kill`, `test_pitfall_20_a_restored_trainer_goes_on_to_the_same_bits` |
"""

import re
from collections.abc import Iterator
from pathlib import Path

TESTS = Path(__file__).parents[2]
ROW = re.compile(r"^\| (\d+) \| (.+?) \|(.+?) \|$", re.MULTILINE | re.DOTALL)


def listed() -> dict[int, list[str]]:
    """The names of the tests by the number of the mistake."""
    return {int(number): re.findall(r"`(test_\w+)`", names) for number, _, names in ROW.findall(__doc__ or "")}


def written() -> Iterator[str]:
    for path in TESTS.rglob("test_*.py"):
        yield from re.findall(r"^def (test_\w+)\(", path.read_text(encoding="utf-8"), re.MULTILINE)


def test_every_mistake_is_found_by_a_test() -> None:
    assert list(listed()) == list(range(1, 21))
    names = set(written())
    for number, tests in listed().items():
        assert tests, number
        assert [name for name in tests if name not in names] == [], number


def test_every_test_of_a_mistake_has_its_number() -> None:
    numbers = {name: re.findall(r"\d\d", name.removeprefix("test_pitfall_")[:9]) for name in written()}
    for name, found in numbers.items():
        if name.startswith("test_pitfall_"):
            assert found, name
            assert {int(number) for number in found} <= set(listed()), name
    for number, tests in listed().items():
        marked = [name for name in tests if name.startswith("test_pitfall_")]
        assert marked, number
        assert all(f"{number:02}" in numbers[name] for name in marked), number
