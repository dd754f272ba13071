import { SILENT_AFTER_SECONDS, type ProcessState, type SystemProcess } from '#libs/contracts';
import { fault, ok, warning, type Finding } from './finding.js';

/** Latest status that a process stored in the database. */
export interface ServiceReport extends Pick<SystemProcess, 'service' | 'checks'> {
  status: Exclude<ProcessState, 'silent'>;
  /** Age of the report in seconds. */
  age: number;
}

/** Services that report their status. The rules service can't, because it doesn't use the database. */
const REPORTING_SERVICES = ['gateway', 'console', 'enrichment', 'ingest', 'catalog'];

/** Checks the processes of each service. A service without any available process is a fault. */
export function checkServices(reports: readonly ServiceReport[]): Finding[] {
  const recentReports = reports.filter(({ age }) => age <= SILENT_AFTER_SECONDS);
  const findings = REPORTING_SERVICES.flatMap((service) =>
    checkService(
      service,
      recentReports.filter((report) => report.service === service),
    ),
  );
  return findings.length > 0 ? findings : [ok('services', `${recentReports.length} processes reported, all ready`)];
}

function checkService(service: string, processes: readonly ServiceReport[]): Finding[] {
  const advice = `Start the ${service} service, or check its log.`;
  if (processes.length === 0) return [fault(service, 'no process has reported recently', advice)];
  const unhealthyProcesses = processes.filter(({ status }) => status !== 'ok');
  if (unhealthyProcesses.length === 0) return [];
  const createFinding = processes.every(({ status }) => status === 'unavailable') ? fault : warning;
  const reasons = new Set(
    unhealthyProcesses.flatMap(({ checks }) =>
      Object.entries(checks).flatMap(([name, text]) => (text ? [`${name}: ${text}`] : [])),
    ),
  );
  const detail = `${unhealthyProcesses.length} of ${processes.length} processes are impaired: ${[...reasons].join('; ')}`;
  return [createFinding(service, detail, 'Check its log.')];
}
