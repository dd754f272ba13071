import { useQuery } from '@tanstack/react-query';
import type { Project } from '../../api/client.js';
import { paymentsQuery } from '../../api/payments.js';
import type { LinkedRange, Range } from '../../range/range.js';
import { Failure } from '../../ui/failure.js';
import { PaymentTables } from './payment-tables.js';

interface PaymentsProps {
  project: Project;
  range: Range;
  linked: LinkedRange;
}

/** Payments for crawling, if there are any. Lazy-loaded, because most sites have none. */
export default function Payments({ project, range, linked }: PaymentsProps) {
  const { data: report, error, refetch } = useQuery(paymentsQuery(project.id, range));
  if (error !== null) {
    return <Failure error={error} title="Couldn't load payments" retry={() => void refetch()} />;
  }
  if (report === undefined || report.agents.length === 0) return null;
  return <PaymentTables project={project} report={report} range={range} linked={linked} />;
}
