import { access, constants, statfs } from 'node:fs/promises';
import { resolve } from 'node:path';
import { formatPercent } from '#libs/contracts/change';
import { fault, ok, warning, type Finding } from './finding.js';

const GIB = 2 ** 30;

export async function checkDisk(folder: string): Promise<Finding> {
  const path = resolve(folder);
  try {
    await access(path, constants.W_OK);
  } catch {
    return fault(
      'disk',
      `${path} doesn't exist or isn't writable`,
      'Start the instance once (npm start), or set DATA_DIR.',
    );
  }
  const { bavail, bsize, blocks } = await statfs(path);
  const free = bavail * bsize;
  const detail = `${(free / GIB).toFixed(1)} GiB free at ${path} (${formatPercent(bavail / blocks)})`;
  if (free < GIB / 4) return fault('disk', detail, 'Free up disk space, or reduce RETENTION_DAYS.');
  return free < GIB
    ? warning('disk', detail, 'Free up disk space soon, or reduce RETENTION_DAYS.')
    : ok('disk', detail);
}

const INSTANCE = { subject: 'instance', remedy: 'Start the instance (npm start), or set AGENT_TRAFFIC_URL.' };

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
    return [fault(subject, `no response from ${url}`, remedy)];
  }
  if (report.status === 'ok') return [ok(subject, `${url} is ready`)];
  const createFinding = report.status === 'degraded' ? warning : fault;
  // Only operators, such as clients on localhost, can see the individual checks.
  if (report.checks === undefined) {
    return [
      createFinding(
        subject,
        `${url} is ${report.status}`,
        'Run agent-traffic doctor on the same machine, or check the log.',
      ),
    ];
  }
  const failedChecks = Object.entries(report.checks).filter(([, text]) => text !== 'ok');
  return failedChecks.map(([name, text]) => createFinding(subject, `${url}: ${name}: ${text}`, `Check the log.`));
}
