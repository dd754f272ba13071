import { SILENT_AFTER_SECONDS, type ProcessState, type SystemProcess } from '#libs/contracts';
import { fault, ok, warning, type Finding } from './finding.js';

/** Last status that a process stored in the database. */
export interface ServiceReport extends Pick<SystemProcess, 'service' | 'checks'> {
  status: Exclude<ProcessState, 'silent'>;
  /** Seconds since the report. */
  age: number;
}

/** Services that report their status. `rules` can't, because it has no database. */
const REPORTING = ['gateway', 'console', 'enrichment', 'ingest', 'catalog'];

/** Checks the processes of each service. It's a fault if none reports, or if all of them are unavailable. */
export function checkServices(reports: readonly ServiceReport[]): Finding[] {
  const living = reports.filter(({ age }) => age <= SILENT_AFTER_SECONDS);
  const findings = REPORTING.flatMap((service) =>
    checkService(
      service,
      living.filter((report) => report.service === service),
    ),
  );
  return findings.length > 0 ? findings : [ok('services', `${living.length} processes report, all of them ready`)];
}

function checkService(service: string, processes: readonly ServiceReport[]): Finding[] {
  const advice = `Start the service ${service}, or look at its log.`;
  if (processes.length === 0) return [fault(service, 'none of its processes reports', advice)];
  const unwell = processes.filter(({ status }) => status !== 'ok');
  if (unwell.length === 0) return [];
  const make = processes.every(({ status }) => status === 'unavailable') ? fault : warning;
  const reasons = new Set(
    unwell.flatMap(({ checks }) =>
      Object.entries(checks).flatMap(([name, text]) => (text ? [`${name}: ${text}`] : [])),
    ),
  );
  const detail = `${unwell.length} of ${processes.length} processes can't work as they should: ${[...reasons].join('; ')}`;
  return [make(service, detail, 'Look at its log.')];
}
