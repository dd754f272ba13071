import { useQuery } from '@tanstack/react-query';
import type { BlockingRule } from '../../actions/agent-rule.js';
import { policyEffectQuery } from '../../api/policy-effect.js';
import { getDateDetail } from '../../format/clock-time.js';
import { formatTime } from '../../format/time.js';
import { useClock } from '../../ui/use-clock.js';

const EFFECT_DAYS = 7;

interface BlockedSinceProps {
  projectId: string;
  blocking: BlockingRule;
  /** True if rules never apply to the visit's path. */
  isExempt: boolean;
  timeZone: string;
}

/** Text such as "Network blocked since 13:27", because the visit itself may have been served before. */
export function BlockedSince({ projectId, blocking: { rule, isLive }, isExempt, timeZone }: BlockedSinceProps) {
  const now = useClock();
  const { data: effect } = useQuery({
    ...policyEffectQuery(projectId, rule.id, EFFECT_DAYS),
    enabled: isLive && !isExempt,
  });
  if (!isLive) return 'Rule in dry run';
  if (isExempt) return 'Blocked, except for this path';
  const subject = rule.visitors?.networks === undefined ? null : 'Network';
  const since = effect?.live_since ?? null;
  if (since === null) return subject === null ? 'Now blocked' : `${subject} now blocked`;
  const isToday = getDateDetail(since, timeZone, now) === undefined;
  const time = formatTime(since, timeZone, isToday ? { timeStyle: 'short' } : { dateStyle: 'medium' });
  return `${subject === null ? 'Blocked' : `${subject} blocked`} since ${time}`;
}
