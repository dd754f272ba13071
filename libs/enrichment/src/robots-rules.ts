import type { RobotsJudgment } from '#libs/contracts';
import { AgentRules, groupsFor, type NamedGroup, readRobotsFile, type RobotsFile } from '#libs/robots';
import { LRUCache } from 'lru-cache';

/** Characters that may be compared for a visit, since file and path are somebody else's: a fraction of a millisecond. */
const MAX_STEPS = 100_000;
/** Of all files together: some 50 MB. */
const MAX_INDEXED_RULES = 200_000;

/** By file and groups, so that agents that obey the same groups share them. */
const indexes = new LRUCache<string, AgentRules>({ maxSize: MAX_INDEXED_RULES });

/** A robots.txt, read once; the rules of its groups are indexed once an agent has to obey them. */
export class RobotsRules {
  private readonly file: RobotsFile;
  private readonly groupNumbers: ReadonlyMap<object, number>;
  /** Keys of indexes, as there may be very many groups, which all agents obey that none of them names. */
  private readonly keys = new WeakMap<readonly NamedGroup[], string>();

  /** @param digest of the text. @param text as it is stored: cut already. */
  constructor(
    private readonly digest: string,
    text: string,
  ) {
    this.file = readRobotsFile(Buffer.from(text), Infinity);
    this.groupNumbers = new Map(this.file.groups.map(({ rules }, index) => [rules, index]));
  }

  /**
   * @param token product token of an agent, or `*`.
   * @param path with its query, starting with a slash.
   * @returns null where it would take too long to say.
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
