import type { Pipeline } from '#libs/contracts';
import type { System } from '../../api/system-queries.js';
import { formatCount } from '../../format/count.js';

/** Something that an administrator should look at. */
interface SystemProblem {
  /** Clause without a period, such as "3 of 72 address lists can’t be fetched". */
  text: string;
  /** Section that shows the details. */
  hash: string;
}

/** Age of the oldest waiting batch or message from which it's a problem. The alert has the same limit. */
const MAX_PENDING_MS = 300_000;

const PIPELINE_TEXTS: Record<Exclude<Pipeline['state'], 'running'>, string> = {
  degraded: 'visits are processed with problems',
  down: 'visits aren’t being processed',
};

/** Lists the instance's problems, most urgent first. */
export function findProblems(system: System, pipeline: Pipeline | undefined, now: number): SystemProblem[] {
  const { processes, dead_letters: letters, catalog, disk, network_files: files } = system;
  const problems: SystemProblem[] = [];
  const add = (hash: string, text: string): unknown => problems.push({ hash, text });
  if (pipeline !== undefined && pipeline.state !== 'running') add('health', PIPELINE_TEXTS[pipeline.state]);
  // A process that was replaced stops reporting, too.
  const working = new Set(processes.filter(({ state }) => state === 'ok').map(({ service }) => service));
  const failing = processes.filter(
    ({ state, service }) => state !== 'ok' && !(state === 'silent' && working.has(service)),
  );
  if (failing.length > 0) {
    add(
      'health',
      failing.length === 1 ? 'a service isn’t healthy' : `${formatCount(failing.length)} services aren’t healthy`,
    );
  }
  if (letters.open > 0) {
    add(
      'dead-letters',
      `${formatCount(letters.open)} ${letters.open === 1 ? 'message' : 'messages'} couldn’t be processed`,
    );
  }
  if (disk.visit_store.fault !== null) add('storage', `${disk.visit_store.name} is unavailable`);
  const oldest = disk.visit_store.oldest_pending_at ?? disk.outbox.oldest_at;
  if (oldest !== null && now - Date.parse(oldest) > MAX_PENDING_MS) {
    add('storage', 'visits have been waiting to be stored for more than 5 minutes');
  }
  const failingLists = catalog.lists.filter(({ fault }) => fault !== null).length;
  if (failingLists > 0) {
    const all = formatCount(catalog.lists.length);
    add(
      'address-lists',
      failingLists === catalog.lists.length
        ? `none of the ${all} address lists can be fetched`
        : `${formatCount(failingLists)} of ${all} address lists can’t be fetched`,
    );
  }
  if (files.some(({ fault }) => fault !== null)) add('network-names', 'a file with network names can’t be read');
  return problems;
}
