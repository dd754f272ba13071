import type { RobotsJudgment } from '#libs/contracts';
import { AgentRules, groupsFor, type NamedGroup, readRobotsFile, type RobotsFile } from '#libs/robots';
import { LRUCache } from 'lru-cache';

/** Maximum number of comparisons per visit. Without a limit, a crafted file or path could cost too much time. */
const MAX_STEPS = 100_000;
const MAX_INDEXED_RULES = 200_000;

/** Indexes by file and groups. Agents that obey the same groups share one. */
const indexes = new LRUCache<string, AgentRules>({ maxSize: MAX_INDEXED_RULES });

/** A parsed robots.txt. Rules are indexed when an agent first needs them. */
export class RobotsRules {
  private readonly file: RobotsFile;
  private readonly groupNumbers: ReadonlyMap<object, number>;
  /** Cached keys of `indexes`. Building a key is slow if an agent obeys very many groups. */
  private readonly keys = new WeakMap<readonly NamedGroup[], string>();

  /**
   * @param digest digest of `text`.
   * @param text stored text, already truncated.
   */
  constructor(
    private readonly digest: string,
    text: string,
  ) {
    this.file = readRobotsFile(Buffer.from(text), Infinity);
    this.groupNumbers = new Map(this.file.groups.map(({ rules }, index) => [rules, index]));
  }

  /**
   * Judges whether an agent may fetch a path.
   *
   * @param token the agent's product token, or `*`.
   * @param path path with query, starting with a slash.
   * @returns null if it would take too many comparisons.
   */
  judge(token: string, path: string): Pick<RobotsJudgment, 'verdict' | 'line'> | null {
    const found = this.rulesOf(token).find(path, MAX_STEPS);
    if (found === undefined) return null;
    if (found === null) return { verdict: 'allowed', line: null };
    return { verdict: found.rule.isAllow ? 'allowed' : 'disallowed', line: found.rule.line };
  }

  private rulesOf(token: string): AgentRules {
    const groups = groupsFor(this.file, token);
    let key = this.keys.get(groups);
    if (key === undefined) {
      key = `${this.digest}:${groups.map(({ rules }) => this.groupNumbers.get(rules)).join()}`;
      this.keys.set(groups, key);
    }
    let index = indexes.get(key);
    if (index === undefined) {
      index = new AgentRules(groups);
      indexes.set(key, index, { size: groups.reduce((sum, { rules }) => sum + rules.length, 1) });
    }
    return index;
  }
}
