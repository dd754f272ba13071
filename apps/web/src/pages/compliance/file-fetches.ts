import type { Compliance } from '../../api/compliance.js';
import type { FilterSet } from '../../filters/filter-set.js';

type AgentFile = Compliance['files'][number];
type Fetches = Compliance['unknown_files'][number];

/** Fetches of a file by all visitors. */
export interface FileFetches extends Fetches {
  /** Most fetches first. */
  agents: AgentFile[];
  unknownVisits: number;
}

/** Groups fetches by file, most fetches first. */
export function groupFiles(files: readonly AgentFile[], unknownFiles: readonly Fetches[]): FileFetches[] {
  const groups = new Map<string, FileFetches>();
  const add = (fetches: Fetches): FileFetches => {
    const { path, purpose, visits, last_at: last } = fetches;
    const group = groups.get(path) ?? {
      path,
      purpose,
      visits: 0,
      answers: { file: 0, html: 0, redirect: 0, challenge: 0, not_found: 0, refused: 0, error: 0 },
      last_at: last,
      agents: [],
      unknownVisits: 0,
    };
    groups.set(path, group);
    group.visits += visits;
    for (const answer of Object.keys(group.answers) as (keyof Fetches['answers'])[])
      group.answers[answer] += fetches.answers[answer];
    if (last > group.last_at) group.last_at = last;
    return group;
  };
  for (const file of files) add(file).agents.push(file);
  for (const file of unknownFiles) add(file).unknownVisits += file.visits;
  return [...groups.values()].toSorted((one, other) => other.visits - one.visits);
}

/** Returns filters for the visits to a file. A path that ends with `*` stands for all paths with this prefix. */
export const fileFilters = (path: string): FilterSet =>
  path.endsWith('*') ? { path: [path.slice(0, -1)] } : { page: [path] };
