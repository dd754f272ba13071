import { mergePreferences } from './merge-preferences.js';
import { ANY_AGENT, getLookupKeys, type RobotsRecord } from './robots-file.js';

/** Line whose value changes. */
export interface ChangedValue {
  record: RobotsRecord;
  value: string;
}

/** Lines that apply to all agents or to the entire file. */
interface SharedLines {
  /** `Content-Signal` and `Content-Usage` lines. */
  usage: RobotsRecord[];
  /** `License` line. */
  license: RobotsRecord | null;
}

export const isUsage = (kind: string): boolean => kind === 'content-signal' || kind === 'content-usage';

/**
 * Finds the site's own lines that must change to express the wanted preferences, so that a file never contains two
 * contradictory lines. Lines for certain paths or agents are left alone.
 *
 * @returns The changed lines, and the wanted lines that the site's own lines don't express.
 */
export function mergeSignals(
  own: readonly RobotsRecord[],
  wanted: SharedLines,
): { changed: ChangedValue[] } & SharedLines {
  const changed: ChangedValue[] = [];
  const shared = findSharedUsage(own);
  const usage = wanted.usage.filter(({ kind, value }) => {
    const lines = shared.filter((record) => record.kind === kind);
    changed.push(...lines.map((record) => ({ record, value: mergePreferences(record.value, value) })));
    return lines.length === 0;
  });
  const licenses = own.filter(({ kind }) => kind === 'license');
  const { license } = wanted;
  const isLicensed = license === null || licenses.some(({ value }) => value === license.value);
  // A file can have several licenses. Which one would have to change is unknown then.
  const canReplace = !isLicensed && licenses.length === 1;
  if (canReplace) changed.push({ record: licenses[0]!, value: license.value });
  return {
    changed: changed.filter(({ record, value }) => record.value !== value),
    usage,
    license: isLicensed || canReplace ? null : license,
  };
}

/** Returns the usage lines for all paths in the groups for {@link ANY_AGENT} or before the first group. */
function findSharedUsage(records: readonly RobotsRecord[]): RobotsRecord[] {
  const found: RobotsRecord[] = [];
  let group: RobotsRecord[] = [];
  // Lines before the first group apply to all agents.
  let isShared = true;
  const close = (): void => {
    if (isShared) found.push(...group);
  };
  for (const record of records) {
    if (record.startsGroup) {
      close();
      [group, isShared] = [[], false];
    }
    if (record.kind === 'user-agent') isShared ||= getLookupKeys(record.value).includes(ANY_AGENT);
    else if (isUsage(record.kind) && !record.value.startsWith('/')) group.push(record);
  }
  close();
  return found;
}
