import {
  ANY_AGENT,
  findGroups,
  parseRobotsFile,
  parseRobotsSignals,
  parseRobotsUsage,
  type RobotsFile,
} from '#libs/robots';
import type { RulesSelection } from '../../../api/rules-queries.js';

const parse = (text: string): RobotsFile => parseRobotsFile(new TextEncoder().encode(text), Infinity);

/** Returns true if a file disallows everything for an agent. */
export function isKeptOut(file: RobotsFile, token: string): boolean {
  const rules = findGroups(file, token).flatMap((group) => group.rules);
  return rules.every(({ isAllow }) => !isAllow) && rules.some(({ pattern: { text } }) => /^(?:\/|\*)\**$/.test(text));
}

/** Agents that a robots.txt asks to stay away from the entire site. */
interface KeptOut {
  /** Names of the groups, without duplicates. Doesn't include {@link ANY_AGENT}. */
  names: string[];
  /** True if all agents without their own group are asked to stay away. */
  isEveryone: boolean;
  file: RobotsFile;
}

export function findKeptOut(text: string): KeptOut {
  const file = parse(text);
  const names = new Map(
    file.groups.flatMap(({ userAgents }) => userAgents.map(({ name }) => [name.toLowerCase(), name] as const)),
  );
  names.delete(ANY_AGENT);
  names.delete('');
  return {
    names: [...names].flatMap(([key, name]) => (isKeptOut(file, key) ? [name] : [])),
    isEveryone: isKeptOut(file, ANY_AGENT),
    file,
  };
}

type Usage = Pick<RulesSelection, 'content_signal' | 'content_usage' | 'license'>;

/** Returns the usage preferences for all agents, and the license of a robots.txt. */
export function readUsage(text: string): Usage {
  const bytes = new TextEncoder().encode(text);
  const usage = parseRobotsUsage(bytes, Infinity);
  const toRecord = (preferences: readonly { name: string; isAllowed: boolean }[], names: readonly string[]) =>
    Object.fromEntries(
      preferences.flatMap(({ name, isAllowed }) => {
        const key = name.replace('-', '_');
        return names.includes(key) ? [[key, isAllowed] as const] : [];
      }),
    );
  const signals = usage.findSignals(ANY_AGENT);
  const use = signals.findLast((signal) => signal.use !== null)?.use;
  const contentSignal = {
    ...toRecord(
      signals.flatMap(({ preferences }) => preferences),
      ['search', 'ai_input', 'ai_train'],
    ),
    ...(use != null && { use }),
  };
  const rules = usage.findRules(ANY_AGENT, '/').filter(({ pattern }) => pattern === null);
  const contentUsage = toRecord(
    rules.flatMap(({ preferences }) => preferences),
    ['train_ai', 'ai_use', 'search'],
  );
  const license = parseRobotsSignals(bytes, Infinity).find(({ kind, url }) => kind === 'license' && url !== null)?.url;
  return {
    ...(Object.keys(contentSignal).length > 0 && { content_signal: contentSignal }),
    ...(Object.keys(contentUsage).length > 0 && { content_usage: contentUsage }),
    ...(license != null && { license }),
  };
}
