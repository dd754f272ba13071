import { formatTimeSpan } from '#libs/contracts/time-span';
import type { Alert, AlertKind, AlertPreview } from '../../api/alerts.js';
import { formatCount } from '../../format/count.js';

type Condition = Pick<Alert, 'threshold' | 'minimum' | 'window_minutes'>;
type Period = Pick<AlertPreview['chart'][number], 'value' | 'boundary'>;

/** Measured quantities by kind. */
const QUANTITIES: Partial<Record<AlertKind['kind'], string>> = {
  spoofing: 'failed verifications of one agent',
  agent_load: 'requests by one agent',
  disallowed: 'disallowed fetches by one agent',
  spike: 'visits',
  drop: 'visits',
  referral_spike: 'people',
  verified_share: 'verified visits',
  errors: 'errors for an agent',
  server_errors: 'server errors',
  blocked: 'blocked requests of an agent',
  tool_errors: 'failed calls',
};

/** Explanations for kinds that measure no value. `window` is replaced with the alert's window. */
const UNMEASURED: Partial<Record<AlertKind['kind'], string>> = {
  new_agent: 'no agent visited for the first time in 30 days',
  robots_missing: 'robots.txt was never unavailable for window',
  no_visits: 'window never passed without a visit when visits are usual',
};

/** Kinds whose minimum applies to each agent. */
const MINIMUM_PER_AGENT: ReadonlySet<AlertKind['kind']> = new Set<AlertKind['kind']>(['errors', 'blocked']);

/** True for tests that fire at low values. */
const isFall = (test: string): boolean => test === 'fall' || test === 'share_fall';

export const isMet = ({ value, boundary }: Period, test: string): boolean =>
  boundary !== null && (isFall(test) ? value <= boundary : value >= boundary);

/** Explains an alert's outcome in some periods by the value closest to firing, as in "at most 140 visits within an hour (it fires at 212)". */
export function explainPeriods(
  { kind, test, minimum_of: minimumOf }: AlertKind,
  { minimum, window_minutes: minutes }: Condition,
  periods: readonly Period[],
): string {
  const span = formatTimeSpan(minutes);
  const unmeasured = UNMEASURED[kind];
  if (unmeasured !== undefined) return unmeasured.replace('window', span);
  const closest = periods
    .filter(({ boundary }) => boundary !== null)
    .toSorted((one, other) => getDistance(one, test) - getDistance(other, test))[0];
  const unit = test === 'share' || test === 'share_fall' ? '%' : '';
  const quantity = QUANTITIES[kind] ?? 'visits';
  const format = (value: number): string => `${formatCount(Math.round(value))}${unit} ${quantity}`;
  if (closest === undefined || closest.boundary === null || (test === 'count' && closest.value === 0)) {
    if (minimumOf === null) return `there were no ${quantity}`;
    return MINIMUM_PER_AGENT.has(kind)
      ? `no agent made ${formatCount(minimum)} ${minimumOf} within ${span}, the minimum for this alert`
      : `there were always fewer than ${formatCount(minimum)} ${minimumOf} within ${span}, the minimum`;
  }
  const limit = `${formatCount(isFall(test) ? Math.floor(closest.boundary) : Math.ceil(closest.boundary))}${unit}`;
  if (isMet(closest, test)) return `${format(closest.value)} within ${span} (it fires at ${limit})`;
  return isFall(test)
    ? `never fewer than ${format(closest.value)} within ${span} (it fires at ${limit})`
    : `at most ${format(closest.value)} within ${span} (it fires at ${limit})`;
}

/** Returns how far a period is from firing. Negative if the condition was met. */
function getDistance({ value, boundary }: Period, test: string): number {
  return isFall(test) ? value - boundary! : boundary! - value;
}
