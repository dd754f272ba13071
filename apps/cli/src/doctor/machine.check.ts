import { access, constants, statfs } from 'node:fs/promises';
import { resolve } from 'node:path';
import { fault, ok, warning, type Finding } from './finding.js';

const GIB = 2 ** 30;

export async function checkDisk(folder: string): Promise<Finding> {
  const path = resolve(folder);
  try {
    await access(path, constants.W_OK);
  } catch {
    return fault('disk', `${path} is not there, or can't be written`, 'Start once (npm start), or set DATA_DIR.');
  }
  const { bavail, bsize, blocks } = await statfs(path);
  const free = bavail * bsize;
  const detail = `${(free / GIB).toFixed(1)} GiB free at ${path} (${Math.round((100 * bavail) / blocks)} %)`;
  if (free < GIB / 4) return fault('disk', detail, 'Make room, or lower RETENTION_DAYS.');
  return free < GIB ? warning('disk', detail, 'Make room soon, or lower RETENTION_DAYS.') : ok('disk', detail);
}

const INSTANCE = { subject: 'instance', remedy: 'Start it (npm start), or set AGENT_TRAFFIC_URL.' };

/**
 * Checks the readiness of an instance or one of its services.
 *
 * @param remedy Advice if nothing responds.
 */
export async function checkInstance(url: string, { subject, remedy } = INSTANCE): Promise<Finding[]> {
  let report: { status: string; checks?: Record<string, string> };
  try {
    const response = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(5_000) });
    report = (await response.json()) as typeof report;
  } catch {
    return [fault(subject, `nothing answers at ${url}`, remedy)];
  }
  if (report.status === 'ok') return [ok(subject, `${url} is ready`)];
  const make = report.status === 'degraded' ? warning : fault;
  // Individual checks are only visible to operators, such as requests from localhost.
  if (report.checks === undefined) {
    return [
      make(subject, `${url} is ${report.status}`, 'Run agent-traffic doctor on its machine, or look at its log.'),
    ];
  }
  const wrong = Object.entries(report.checks).filter(([, text]) => text !== 'ok');
  return wrong.map(([name, text]) => make(subject, `${url}: ${name}: ${text}`, `Look at its log.`));
}
