"""The SQL statements that `Store` uses."""

from typing import Final

__all__ = [
    "ADD_AWARD", "ADD_DEPARTURE", "ADD_ENTRANT", "ADD_EXCLUSION", "ADD_PAIRING", "ADD_RECORD", "ADD_SUMMARY", "AWARDS",
    "CLAIMED", "COUNT", "COUNT_ALL", "COUNT_ONE", "DEPARTURES", "ENTRANTS", "EXCLUSIONS", "HASHES", "HAS_ENTRANT",
    "LEAGUES", "LINES", "LOAD", "PACES", "PAIRINGS", "PAIRS", "RATED_GAMES", "RECENT", "RECORDS", "REMOVALS",
    "RENEW_ENTRANT", "ROUNDS", "SCORES", "SUMMARIES", "UNPLAYED", "numbers",
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


def numbers(*, league: bool, agent: bool, opponent: bool, faults: bool) -> str:
    """The query for the numbers of records: of a league, of an entrant, against another one, or only with faults.

    Each of these queries reads only an index, and none sorts: the caller does.
    """
    is_fault = " AND fault_player IS NOT NULL" if faults else ""
    if not agent:
        return f"SELECT id FROM record WHERE {'league = :league' if league else 'TRUE'}{is_fault}"  # noqa: S608
    is_known = "entrant.name = :agent" + (" AND entrant.league = :league" if league else "")
    by_seat = []
    for seat, facing in (("first", "second"), ("second", "first")):
        # The index is named: with a fault, SQLite would take the one of the faults, and read the games.
        index = "record_by_pair" if opponent or seat == "first" else "record_by_second"
        query = f"SELECT record.id FROM entrant JOIN record INDEXED BY {index} ON record.league = entrant.league "  # noqa: S608
        query += f"AND record.{seat} = entrant.number "
        if opponent:
            query += f"JOIN entrant AS other ON other.league = record.league AND other.number = record.{facing} "
        by_seat.append(f"{query}WHERE {is_known}{is_fault}{' AND other.name = :opponent' if opponent else ''}")
    return f"SELECT id FROM ({' UNION ALL '.join(by_seat)})"  # noqa: S608 - all parts are ours


LINES: Final = """
    SELECT record.id, league.name AS league, one.name AS first, two.name AS second, result, reason, fault_player,
           fault_rule, turns, exclusion.because AS excluded
    FROM record
    JOIN league ON league.id = record.league
    JOIN entrant AS one ON one.league = record.league AND one.number = record.first
    JOIN entrant AS two ON two.league = record.league AND two.number = record.second
    JOIN summary ON summary.record = record.id
    LEFT JOIN exclusion ON exclusion.record = record.id AND lifted IS NULL
    WHERE record.id IN (SELECT value FROM json_each(?))
    ORDER BY record.id
"""

_IS_WANTED: Final = """
    league = :league
    AND (:departed OR (first NOT IN (SELECT entrant FROM departure WHERE league = :league)
                       AND second NOT IN (SELECT entrant FROM departure WHERE league = :league)))
"""

COUNT: Final = f"""
    SELECT (SELECT TOTAL(games) FROM tally WHERE {_IS_WANTED})
         + (SELECT COUNT(*) FROM record
            WHERE id IN (SELECT record FROM exclusion WHERE lifted IS NULL) AND {_IS_WANTED})
"""  # noqa: S608 - all parts are ours

#: A game is starved if its players waited too long for a CPU.
_IS_STARVED: Final = "wait >= :least AND wait >= :share * wall"

#: What a tally counts, and how much of it one record adds. Times are whole microseconds, so that sums are exact.
_COUNTED: Final = {
    "games": "1",
    "wins": "result = '1-0'",
    "draws": "result = '1/2-1/2'",
    "losses": "result = '0-1'",
    "faults_first": "fault_player IS 'first'",
    "faults_second": "fault_player IS 'second'",
    "starved": _IS_STARVED,
    "wall": f"IIF({_IS_STARVED}, CAST(ROUND(1e6 * wall) AS INTEGER), 0)",
    "wait": f"IIF({_IS_STARVED}, CAST(ROUND(1e6 * wait) AS INTEGER), 0)",
}
_TALLY: Final = f"INSERT INTO tally (league, first, second, {', '.join(_COUNTED)}) SELECT league, first, second"

#: Add one record to the tally of its pair; with the sign -1, take it away.
COUNT_ONE: Final = f"""
    {_TALLY}, {", ".join(f":sign * ({value})" for value in _COUNTED.values())} FROM record WHERE id = :record
    ON CONFLICT DO UPDATE SET {", ".join(f"{name} = {name} + excluded.{name}" for name in _COUNTED)}
"""

#: Count all records that are not excluded.
COUNT_ALL: Final = f"""
    {_TALLY}, {", ".join(f"SUM({value})" for value in _COUNTED.values())} FROM record
    WHERE id NOT IN (SELECT record FROM exclusion WHERE lifted IS NULL) GROUP BY league, first, second
"""  # noqa: S608 - all parts are ours

ADD_SUMMARY: Final = "INSERT OR REPLACE INTO summary (record, turns, seconds_first, seconds_second) VALUES (?, ?, ?, ?)"

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
    "DELETE FROM summary WHERE record IN (SELECT id FROM record WHERE league = ?)",
    "DELETE FROM tally WHERE league = ?",
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

PAIRS: Final = """
    SELECT one.name AS first, two.name AS second, games, wins, draws, losses, faults_first, faults_second
    FROM tally
    JOIN entrant AS one ON one.league = tally.league AND one.number = tally.first
    JOIN entrant AS two ON two.league = tally.league AND two.number = tally.second
    WHERE tally.league = :league AND games
      AND first NOT IN (SELECT entrant FROM departure WHERE league = :league AND NOT stands)
      AND second NOT IN (SELECT entrant FROM departure WHERE league = :league AND NOT stands)
    ORDER BY first, second
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

ROUNDS: Final = "SELECT IFNULL(MAX(round) + 1, 0) AS rounds FROM pairing WHERE league = ?"

UNPLAYED: Final = """
    SELECT key, first, second, round, opening FROM pairing
    WHERE league = :league
      AND NOT EXISTS (SELECT 1 FROM record WHERE record.league = :league AND record.key = pairing.key)
      AND NOT EXISTS (SELECT 1 FROM award WHERE award.league = :league AND award.key = pairing.key)
    ORDER BY id
"""

ADD_PAIRING: Final = "INSERT INTO pairing (league, key, first, second, round, opening) VALUES (?, ?, ?, ?, ?, ?)"

SCORES: Final = """
    SELECT key, CASE result WHEN '1-0' THEN 1.0 WHEN '0-1' THEN 0.0 ELSE 0.5 END AS score,
           id IN (SELECT record FROM exclusion WHERE lifted IS NULL) AS excluded
    FROM record WHERE league = ?
"""

RATED_GAMES: Final = """
    SELECT id, first, second, CASE result WHEN '1-0' THEN 1.0 WHEN '0-1' THEN 0.0 ELSE 0.5 END AS points,
           first_hash, second_hash
    FROM record
    WHERE league = :league AND id > :after AND id NOT IN (SELECT record FROM exclusion WHERE lifted IS NULL)
    ORDER BY id LIMIT :most
"""

# The seat that begins has the moves with even numbers.
RECENT: Final = """
    SELECT one.name AS first, two.name AS second, points,
           (SELECT TOTAL(json_extract(value, '$[2]')) FROM json_each(moves) WHERE key % 2 = begins) AS cpu_first,
           (SELECT TOTAL(json_extract(value, '$[2]')) FROM json_each(moves) WHERE key % 2 <> begins) AS cpu_second
    FROM (
        SELECT id, league, first, second, mover = 'second' AS begins, IIF(json_valid(moves), moves, '[]') AS moves,
               CASE result WHEN '1-0' THEN 1.0 WHEN '0-1' THEN 0.0 ELSE 0.5 END AS points
        FROM record
        WHERE league = :league AND id NOT IN (SELECT record FROM exclusion WHERE lifted IS NULL)
        ORDER BY id DESC LIMIT :most
    ) AS game
    JOIN entrant AS one ON one.league = game.league AND one.number = game.first
    JOIN entrant AS two ON two.league = game.league AND two.number = game.second
    ORDER BY game.id DESC
"""

# The newest games that count.
SUMMARIES: Final = """
    SELECT record.id, league.name AS league, game, one.name AS first, two.name AS second, result, reason,
           IFNULL(turns, 0) AS turns, wall, margin_first, margin_second, margin_unit, fault_player, fault_rule
    FROM record
    JOIN summary ON summary.record = record.id
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

# The newest games are enough, and reading all of them would take seconds.
PACES: Final = """
    SELECT first_agent AS first, second_agent AS second, AVG(julianday(ended) - julianday(started)) * 86400 AS pace
    FROM record
    WHERE id > (SELECT MAX(id) FROM record) - 20000 AND game = ? AND seconds = ? AND control = ?
    GROUP BY first_agent, second_agent
"""

LOAD: Final = """
    SELECT TOTAL(games) AS games, TOTAL(starved) AS starved, TOTAL(wall) / 1e6 AS wall, TOTAL(wait) / 1e6 AS wait
    FROM tally WHERE league = ?
"""

EXCLUSIONS: Final = """
    SELECT record, because, at FROM exclusion JOIN record ON record.id = exclusion.record
    WHERE lifted IS NULL AND league = IFNULL(?, league)
"""

ADD_EXCLUSION: Final = "INSERT INTO exclusion (record, because, at) VALUES (?, ?, ?)"
