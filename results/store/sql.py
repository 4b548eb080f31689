"""The SQL statements that `Store` uses."""

from typing import Final

__all__ = [
    "ADD_AWARD", "ADD_DEPARTURE", "ADD_ENTRANT", "ADD_EXCLUSION", "ADD_PAIRING", "ADD_RECORD", "AWARDS", "CLAIMED",
    "COUNT", "DEPARTURES", "ENTRANTS", "EXCLUSIONS", "HASHES", "HAS_ENTRANT", "IDS", "LEAGUES", "LOAD", "PACES",
    "PAIRINGS", "PAIRS", "RECORDS", "REMOVALS", "RENEW_ENTRANT", "SCORES", "SUMMARIES",
]  # fmt: skip

LEAGUES: Final = "SELECT id, name, IIF(is_web, 'web', kind) AS kind, created, settings, secret, dice, ended FROM league"

RECORDS: Final = """
    SELECT record.id, record.key, game, parameters, game_version, seconds, start, mover, opening, seed, seed_first,
           seed_second, moves, result, reason, record.detail, fault_player, fault_rule, fault_detail, fault_evidence,
           notes, output_first, output_second, sandbox, rules, host, versions, unanswered, started, record.ended,
           margin_first, margin_second, margin_unit, fault_phase, fault_turn,
           record.dice, control, startup_first, startup_second, claims,
           first_agent, first_version, first_hash, first_options, first_path, first_grants,
           second_agent, second_version, second_hash, second_options, second_path, second_grants,
           league.name AS league_name, one.name AS first_name, two.name AS second_name
    FROM record
    JOIN league ON league.id = record.league
    JOIN entrant AS one ON one.league = record.league AND one.number = record.first
    JOIN entrant AS two ON two.league = record.league AND two.number = record.second
"""

HAS_ENTRANT: Final = "SELECT EXISTS (SELECT 1 FROM entrant WHERE name = ?)"

IDS: Final = """
    SELECT record.id
    FROM record
    JOIN entrant AS one ON one.league = record.league AND one.number = record.first
    JOIN entrant AS two ON two.league = record.league AND two.number = record.second
    WHERE (:league IS NULL OR record.league = :league)
      AND (:agent IS NULL OR :agent IN (one.name, two.name))
      AND (NOT :faults OR fault_player IS NOT NULL)
    ORDER BY record.id
"""

COUNT: Final = """
    SELECT COUNT(*)
    FROM record
    WHERE league = :league
      AND (:departed OR (first NOT IN (SELECT entrant FROM departure WHERE league = :league)
                         AND second NOT IN (SELECT entrant FROM departure WHERE league = :league)))
"""

ADD_ENTRANT: Final = """
    INSERT INTO entrant (league, number, name, agent, version, hash, options, path, grants, entered)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
"""

RENEW_ENTRANT: Final = """
    UPDATE entrant SET agent = ?, version = ?, hash = ?, options = ?, path = ?, grants = ?
    WHERE league = ? AND number = ?
"""

#: What is removed with a league, in this order.
REMOVALS: Final = (
    "DELETE FROM exclusion WHERE record IN (SELECT id FROM record WHERE league = ?)",
    "DELETE FROM attempt WHERE league = ?",
    "DELETE FROM award WHERE league = ?",
    "DELETE FROM pairing WHERE league = ?",
    "DELETE FROM departure WHERE league = ?",
    "DELETE FROM coordinator WHERE league = ?",
    "DELETE FROM record WHERE league = ?",
    "DELETE FROM entrant WHERE league = ?",
    "DELETE FROM league WHERE id = ?",
)

HASHES: Final = "SELECT hash FROM entrant UNION SELECT first_hash FROM record UNION SELECT second_hash FROM record"

ADD_RECORD: Final = """
    INSERT INTO record (
        league, key, game, parameters, game_version, seconds, start, mover, opening, seed, seed_first, seed_second,
        moves, result, reason, detail, fault_player, fault_rule, fault_detail, fault_evidence, notes, output_first,
        output_second, sandbox, rules, host, versions, unanswered, started, ended,
        margin_first, margin_second, margin_unit, fault_phase, fault_turn, dice, control,
        startup_first, startup_second, wall, wait, claims,
        first, first_agent, first_version, first_hash, first_options, first_path, first_grants,
        second, second_agent, second_version, second_hash, second_options, second_path, second_grants
    ) VALUES (
        :league, :key, :game, :parameters, :game_version, :seconds, :start, :mover, :opening, :seed, :seed_first,
        :seed_second, :moves, :result, :reason, :detail, :fault_player, :fault_rule, :fault_detail, :fault_evidence,
        :notes, :output_first, :output_second, :sandbox, :rules, :host, :versions, :unanswered, :started, :ended,
        :margin_first, :margin_second, :margin_unit, :fault_phase, :fault_turn, :dice, :control,
        :startup_first, :startup_second, :wall, :wait, :claims,
        :first, :first_agent, :first_version, :first_hash, :first_options, :first_path, :first_grants,
        :second, :second_agent, :second_version, :second_hash, :second_options, :second_path, :second_grants
    )
"""

# Counted by entrant number first and named afterwards, so that only the index is read.
PAIRS: Final = """
    SELECT one.name AS first, two.name AS second, games, wins, draws, losses, faults_first, faults_second
    FROM (
        SELECT league, first, second,
               COUNT(*) AS games,
               SUM(result = '1-0') AS wins,
               SUM(result = '1/2-1/2') AS draws,
               SUM(result = '0-1') AS losses,
               SUM(fault_player IS 'first') AS faults_first,
               SUM(fault_player IS 'second') AS faults_second
        FROM record
        WHERE league = :league
          AND id NOT IN (SELECT record FROM exclusion WHERE lifted IS NULL)
          AND first NOT IN (SELECT entrant FROM departure WHERE league = :league AND NOT stands)
          AND second NOT IN (SELECT entrant FROM departure WHERE league = :league AND NOT stands)
        GROUP BY league, first, second
    ) AS pair
    JOIN entrant AS one ON one.league = pair.league AND one.number = pair.first
    JOIN entrant AS two ON two.league = pair.league AND two.number = pair.second
    ORDER BY pair.first, pair.second
"""

ENTRANTS: Final = """
    SELECT name, agent, version, hash, options, path, grants, entered FROM entrant WHERE league = ? ORDER BY number
"""

DEPARTURES: Final = """
    SELECT name, why, detail, stands, at FROM departure
    JOIN entrant ON entrant.league = departure.league AND entrant.number = departure.entrant
    WHERE departure.league = ?
"""

ADD_DEPARTURE: Final = "INSERT INTO departure (league, entrant, why, detail, stands, at) VALUES (?, ?, ?, ?, ?, ?)"

AWARDS: Final = """
    SELECT key, name AS entrant, points, because FROM award
    JOIN entrant ON entrant.league = award.league AND entrant.number = award.entrant
    WHERE award.league = :league
      AND award.entrant NOT IN (SELECT entrant FROM departure WHERE league = :league AND NOT stands)
    ORDER BY key
"""

# No award for a pairing whose game is stored already.
ADD_AWARD: Final = """
    INSERT OR IGNORE INTO award (league, key, entrant, points, because, at)
    SELECT :league, :key, :entrant, :points, :because, :at
    WHERE NOT EXISTS (SELECT 1 FROM record WHERE league = :league AND key = :key)
"""

PAIRINGS: Final = "SELECT key, first, second, round, opening FROM pairing WHERE league = ? ORDER BY id"

ADD_PAIRING: Final = "INSERT INTO pairing (league, key, first, second, round, opening) VALUES (?, ?, ?, ?, ?, ?)"

SCORES: Final = """
    SELECT key, CASE result WHEN '1-0' THEN 1.0 WHEN '0-1' THEN 0.0 ELSE 0.5 END AS score,
           id IN (SELECT record FROM exclusion WHERE lifted IS NULL) AS excluded
    FROM record WHERE league = ?
"""

# The newest games that count.
SUMMARIES: Final = """
    SELECT record.id, league.name AS league, game, one.name AS first, two.name AS second, result, reason,
           IIF(json_valid(moves), json_array_length(moves), 0) AS turns, wall, margin_first, margin_second, margin_unit,
           fault_player, fault_rule
    FROM record
    JOIN league ON league.id = record.league
    JOIN entrant AS one ON one.league = record.league AND one.number = record.first
    JOIN entrant AS two ON two.league = record.league AND two.number = record.second
    WHERE (:league IS NULL OR record.league = :league)
      AND record.id NOT IN (SELECT record FROM exclusion WHERE lifted IS NULL)
    ORDER BY record.id DESC LIMIT :most
"""

CLAIMED: Final = """
    SELECT record.id, one.name AS first, two.name AS second, mover, result, claims
    FROM record
    JOIN entrant AS one ON one.league = record.league AND one.number = record.first
    JOIN entrant AS two ON two.league = record.league AND two.number = record.second
    WHERE claims <> '' AND (:league IS NULL OR record.league = :league)
      AND record.id NOT IN (SELECT record FROM exclusion WHERE lifted IS NULL)
    ORDER BY record.id DESC LIMIT :most
"""

PACES: Final = """
    SELECT first_agent AS first, second_agent AS second, AVG(julianday(ended) - julianday(started)) * 86400 AS pace
    FROM record WHERE game = ? AND seconds = ? AND control = ? GROUP BY first_agent, second_agent
"""

LOAD: Final = """
    SELECT COUNT(*) AS games, TOTAL(starved) AS starved, TOTAL(wall * starved) AS wall, TOTAL(wait * starved) AS wait
    FROM (
        SELECT wall, wait, wait >= :least AND wait >= :share * wall AS starved
        FROM record
        WHERE league = :league AND id NOT IN (SELECT record FROM exclusion WHERE lifted IS NULL)
    )
"""

EXCLUSIONS: Final = """
    SELECT record, because, at FROM exclusion JOIN record ON record.id = exclusion.record
    WHERE lifted IS NULL AND league = IFNULL(?, league)
"""

ADD_EXCLUSION: Final = "INSERT INTO exclusion (record, because, at) VALUES (?, ?, ?)"
