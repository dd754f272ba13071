import { Injectable } from '@nestjs/common';
import {
  isUserTriggered,
  MAX_PAYMENT_AGENTS,
  PAYMENT_WINDOW_MINUTES,
  type PaymentAgent,
  type PaymentsReport,
  type TimelineFilters,
} from '#libs/contracts';
import { PaymentVisitsRepository, ReturnVisitsRepository, type Snapshot, type TimeRange } from '#libs/visit-store';
import type { StoredProject } from '../projects/projects.repository.js';
import { SnapshotReader } from '../reads/snapshot-reader.js';
import { AgentNamesRepository } from '../statistics/agent-names.repository.js';
import { createSeries } from '../statistics/time-range.js';
import { buildReturnWindows, groupReturns } from '../statistics/return-windows.js';
import { PAYMENT_WINDOW_MS, readPaymentEvents, type PaymentEvent } from './payment-events.js';
import { ListPrices, PaymentSums } from './payment-sums.js';

const TIMEOUT_MS = 30_000;

interface AgentPayments {
  /** Newest payment. */
  last: PaymentEvent;
  sums: PaymentSums;
}

/** Reports payments for crawling. */
@Injectable()
export class PaymentsService {
  constructor(
    private readonly reading: SnapshotReader,
    private readonly visits: PaymentVisitsRepository,
    private readonly returns: ReturnVisitsRepository,
    private readonly names: AgentNamesRepository,
  ) {}

  /** @param now Milliseconds since the epoch. */
  report(
    project: StoredProject,
    range: TimeRange,
    filters: Partial<TimelineFilters>,
    now: number,
  ): Promise<PaymentsReport> {
    const work = async (snapshot: Snapshot): Promise<PaymentsReport> => {
      const { id: projectId, toll_hosts: tollHosts } = project;
      const query = { projectId, range, filters, tollHosts, now };
      const { events, countedFrom } = await readPaymentEvents(this.visits, snapshot, query);
      const series = createSeries(range, project.time_zone);
      const counts = series.starts.map((start) => ({ time: new Date(start).toISOString(), ...noReactions() }));
      const listPrices = new ListPrices(project.list_prices);
      const total = new PaymentSums(listPrices);
      const agents = new Map<string, AgentPayments>();
      for (const event of events) {
        const agent = agents.get(event.identity) ?? { last: event, sums: new PaymentSums(listPrices) };
        agents.set(event.identity, agent);
        agent.sums.add(event);
        total.add(event);
        countReaction(
          counts[
            Math.max(
              0,
              series.starts.findLastIndex((start) => start <= event.countedAt),
            )
          ]!,
          event,
        );
      }
      const walkedAway = events.filter(({ isWalkedAway }) => isWalkedAway);
      const { windows, limitedFrom } = buildReturnWindows(walkedAway, PAYMENT_WINDOW_MS);
      const found = windows.length === 0 ? [] : await this.returns.find(snapshot, projectId, windows);
      const ids = [...events.map(({ agentId }) => agentId), ...found.map(({ agent_id: id }) => id)];
      const getNames = await this.names.find(snapshot, projectId, [...new Set(ids.filter((id) => id !== null))]);
      const returns = groupReturns(windows, found, getNames);
      const sorted = [...agents.values()].toSorted((one, other) => other.sums.visits - one.sums.visits);
      return {
        from: new Date(range.from).toISOString(),
        to: new Date(range.to).toISOString(),
        counted_from: new Date(countedFrom).toISOString(),
        returns_from: new Date(limitedFrom ?? countedFrom).toISOString(),
        window_minutes: PAYMENT_WINDOW_MINUTES,
        total: total.build(),
        bucket: series.bucket,
        series: counts,
        agents: sorted.slice(0, MAX_PAYMENT_AGENTS).map(({ last, sums }): PaymentAgent => {
          const { agent_token, agent_type_name, operator_name } = getNames(last.agentId ?? '');
          return {
            agent_id: last.agentId,
            agent_token,
            agent_type_name,
            operator_name,
            is_user_triggered: isUserTriggered(agent_type_name),
            is_spoofed: last.isSpoofed,
            ...sums.build(),
            is_asked_by_status: sums.isAskedByStatus && countedFrom === range.from,
            last_at: new Date(last.at).toISOString(),
            prices: sums.describePrices(),
            returns: returns.get(last.identity) ?? [],
          };
        }),
      };
    };
    return this.reading.read(work, {
      timeoutMs: TIMEOUT_MS,
      timeoutDetail: 'Reading the payments took too long. Choose a shorter range.',
    });
  }
}

const noReactions = () => ({ asked: 0, walked_away: 0, offered: 0, paid: 0, licensed: 0, failed: 0 });

/** Counts a request to pay, or a reaction to one. Payments that the site didn't ask for are left out. */
function countReaction(
  counts: ReturnType<typeof noReactions>,
  { payment, isWalkedAway, isUnasked }: PaymentEvent,
): void {
  if (!isUnasked) counts[payment.outcome] += 1;
  if (isWalkedAway) counts.walked_away += 1;
}
