import { Inject, Injectable } from '@nestjs/common';
import {
  EFFECT_RETURN_HOURS,
  MAX_EFFECT_AGENTS,
  MAX_EFFECT_VISITS,
  MAX_REFERRAL_DAYS,
  MAX_SERVED_RESPONSES,
  POLICY_MODES,
  POLICY_OUTCOMES,
  type OutcomeCounts,
  type PolicyEffect,
  type PolicyMode,
  type Project,
} from '#libs/contracts';
import { CLOCK, notFound, type Clock } from '#libs/platform';
import {
  CountsRepository,
  EffectVisitsRepository,
  ReturnVisitsRepository,
  type ServedResponses,
  type Snapshot,
  type TimeRange,
} from '#libs/visit-store';
import { SnapshotReader } from '../reads/snapshot-reader.js';
import { AgentNamesRepository } from '../statistics/agent-names.repository.js';
import { ReferralsService } from '../statistics/referrals.service.js';
import { buildReturnWindows, groupReturns } from '../statistics/return-windows.js';
import { createSeries, startOfDays } from '../statistics/time-range.js';
import {
  describeReturns,
  findPeople,
  groupByVisitor,
  toRefusedVisit,
  TURNED_AWAY,
  type RefusedVisit,
  type RefusedVisitor,
} from './effect-visitors.js';
import { PolicyCountsRepository, type HourCount } from './policy-counts.repository.js';
import { noOutcomes } from './policy-replay.js';
import { PolicyVersionsRepository } from './policy-versions.repository.js';
import { findRuleHistory, type RuleHistory } from './rule-history.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const QUARTER_MS = 900_000;
const TIMEOUT_MS = 30_000;
/** Time before the range in which served responses are also searched, because a refused agent may have none since. */
const SERVED_BEFORE_MS = 30 * DAY_MS;
const MODES = POLICY_MODES.filter((mode) => mode !== 'off');
const ACTED = POLICY_OUTCOMES.filter((outcome) => outcome !== 'allowed');

type Savings = Pick<PolicyEffect, 'saved_bytes' | 'saved_milliseconds'>;

/** Reports what happened after a rule decided on requests. */
@Injectable()
export class PolicyEffectService {
  constructor(
    private readonly reading: SnapshotReader,
    private readonly versions: PolicyVersionsRepository,
    private readonly counts: PolicyCountsRepository,
    private readonly visitCounts: CountsRepository,
    private readonly visits: EffectVisitsRepository,
    private readonly returns: ReturnVisitsRepository,
    private readonly referrals: ReferralsService,
    private readonly names: AgentNamesRepository,
    @Inject(CLOCK) private readonly now: Clock,
  ) {}

  /**
   * @param days Number of days in the project's time zone, including today.
   * @throws {ProblemError} 404 if no version of the policy contains the rule. 504 if reading the visits takes too long.
   */
  async describe(project: Pick<Project, 'id' | 'time_zone'>, ruleId: string, days: number): Promise<PolicyEffect> {
    const now = this.now();
    const rule = findRuleHistory(await this.versions.listRules(project.id), ruleId);
    if (rule === null) throw notFound('rule');
    const range = { from: startOfDays(now, days, project.time_zone), to: now };
    const hours = await this.counts.sumByHour(project.id, rule.ids, range.from);
    const read = (snapshot: Snapshot) => this.read(snapshot, project.id, rule, range);
    return {
      from: toTime(range.from),
      to: toTime(range.to),
      rule_ids: rule.ids,
      live_since: toNullableTime(rule.liveSince),
      live_until: toNullableTime(rule.liveUntil),
      ...sumByMode(hours),
      ...toSeries(hours, range, project.time_zone),
      ...(await this.reading.read(read, {
        timeoutMs: TIMEOUT_MS,
        timeoutDetail: 'Reading the visits took too long. Choose fewer days.',
      })),
    };
  }

  private async read(snapshot: Snapshot, projectId: string, { ids, ...rule }: RuleHistory, range: TimeRange) {
    const decisions = ids.flatMap((id) => MODES.flatMap((mode) => ACTED.map((outcome) => `${outcome};${mode};${id}`)));
    const acted = await this.visits.acted(snapshot, projectId, { ...range, decisions }, MAX_EFFECT_VISITS);
    const countedFrom = acted.length < MAX_EFFECT_VISITS ? range.from : acted.at(-1)!.occurred_at;
    const ruleIds = new Set(ids);
    const refused = acted.flatMap((visit) => toRefusedVisit(visit, ruleIds) ?? []);
    const next = await this.findNext(snapshot, projectId, ids, { from: countedFrom, to: range.to }, refused);
    const visitors = groupByVisitor(refused, next);
    const { windows, limitedFrom } = buildReturnWindows(refused, EFFECT_RETURN_HOURS * HOUR_MS);
    const found = windows.length === 0 ? [] : await this.returns.find(snapshot, projectId, windows);
    const listed = visitors.slice(0, MAX_EFFECT_AGENTS);
    const agentIds = [...listed.map(({ agentId }) => agentId), ...found.map(({ agent_id: id }) => id)];
    const getNames = await this.names.find(snapshot, projectId, [...new Set(agentIds.filter((id) => id !== null))]);
    const others = groupReturns(windows, found, getNames);
    const served = await this.findServed(snapshot, projectId, range, listed);
    const agents = listed.map((visitor): PolicyEffect['agents'][number] => {
      const { agentId, isSpoofed, identity, cameBack, visitIds } = visitor;
      const { agent_token, agent_type_name, operator_name } = getNames(agentId ?? '');
      const responses = served.find((one) => one.agent_id === agentId && one.is_spoofed === isSpoofed);
      return {
        agent_id: agentId,
        agent_token,
        agent_type_name,
        operator_name,
        is_spoofed: isSpoofed,
        came_back: cameBack,
        visit_ids: visitIds,
        as_others: others.get(identity) ?? [],
        served_responses: responses?.responses ?? 0,
        ...estimateSavings(cameBack.requests, responses),
      };
    });
    const operators = new Set(
      refused.flatMap(({ operator, isSpoofed }) => (operator === null || isSpoofed ? [] : operator)),
    );
    return {
      visits: acted.length,
      counted_from: toTime(countedFrom),
      returns_from: toTime(limitedFrom ?? countedFrom),
      came_back: describeReturns(refused, new Map(next.map((visit) => [visit.id, visit]))),
      ...sumSavings(agents),
      agents,
      agents_total: visitors.length,
      referrals: await this.compareReferrals(snapshot, projectId, rule, [...rule.operators, ...operators]),
      people: findPeople(acted, ruleIds),
    };
  }

  private findNext(
    snapshot: Snapshot,
    projectId: string,
    ruleIds: readonly string[],
    range: TimeRange,
    refused: readonly RefusedVisit[],
  ) {
    const known = refused.flatMap(({ agentId }) => agentId ?? []);
    const unknown = refused.flatMap(({ agentId, address }) => (agentId === null ? (address ?? []) : []));
    return refused.length === 0
      ? []
      : this.visits.next(
          snapshot,
          projectId,
          { ...range, decisions: ruleIds.flatMap((id) => TURNED_AWAY.map((outcome) => `${outcome};live;${id}`)) },
          { agents: [...new Set(known)], addresses: [...new Set(unknown)] },
        );
  }

  private findServed(snapshot: Snapshot, projectId: string, range: TimeRange, visitors: readonly RefusedVisitor[]) {
    const agents = [...new Set(visitors.flatMap(({ agentId }) => agentId ?? []))];
    const searched = { from: range.from - SERVED_BEFORE_MS, to: range.to };
    return agents.length === 0 ? [] : this.visits.served(snapshot, projectId, searched, agents, MAX_SERVED_RESPONSES);
  }

  /** Compares times of equal length before and after the rule went live. */
  private async compareReferrals(
    snapshot: Snapshot,
    projectId: string,
    { liveSince, liveUntil }: Pick<RuleHistory, 'liveSince' | 'liveUntil'>,
    operators: readonly string[],
  ): Promise<PolicyEffect['referrals']> {
    if (liveSince === null) return null;
    // Referrals are counted by quarters of an hour.
    const round = (time: number): number => Math.floor(time / QUARTER_MS) * QUARTER_MS;
    const start = round(liveSince);
    const [recorded] = await this.visitCounts.firstAndLastVisits(snapshot, [projectId]);
    const times = [start - (recorded?.first_at.getTime() ?? start), round(liveUntil ?? this.now()) - start];
    const length = Math.max(0, Math.min(MAX_REFERRAL_DAYS * DAY_MS, ...times));
    const count = (from: number) => this.referrals.countByOperator(snapshot, projectId, { from, to: from + length });
    const before = await count(start - length);
    const after = await count(start);
    return {
      days: length / DAY_MS,
      operators: [...new Set(operators)]
        .map((name) => ({ operator_name: name, before: before.get(name), after: after.get(name) }))
        .filter((operator) => operator.before + operator.after > 0),
    };
  }
}

function sumByMode(hours: readonly HourCount[]): Record<Exclude<PolicyMode, 'off'>, OutcomeCounts> {
  const sums = { live: noOutcomes(), dry_run: noOutcomes() };
  for (const { mode, outcome, decisions } of hours) sums[mode][outcome] += decisions;
  return sums;
}

function toSeries(
  hours: readonly HourCount[],
  range: TimeRange,
  timeZone: string,
): Pick<PolicyEffect, 'bucket' | 'series'> {
  const { bucket, starts } = createSeries(range, timeZone);
  const groups = Map.groupBy(hours, ({ hour }) =>
    Math.max(
      0,
      starts.findLastIndex((start) => start <= hour),
    ),
  );
  return {
    bucket: bucket === '1h' ? '1h' : '1d',
    series: starts.map((start, index) => ({ time: toTime(start), ...sumByMode(groups.get(index) ?? []) })),
  };
}

function estimateSavings(requests: number, responses: ServedResponses | undefined): Savings {
  const multiply = (median: number | null | undefined): number | null =>
    median === null || median === undefined ? null : Math.round(median * requests);
  const microseconds = multiply(responses?.microseconds);
  return {
    saved_bytes: multiply(responses?.bytes),
    saved_milliseconds: microseconds === null ? null : Math.round(microseconds / 1_000),
  };
}

/** Returns the sums, or null for what no agent's responses contain. */
function sumSavings(agents: readonly Savings[]): Savings {
  const sum = (name: keyof Savings): number | null => {
    const values = agents.flatMap((agent) => agent[name] ?? []);
    return values.length === 0 ? null : values.reduce((total, value) => total + value, 0);
  };
  return { saved_bytes: sum('saved_bytes'), saved_milliseconds: sum('saved_milliseconds') };
}

const toTime = (time: number): string => new Date(time).toISOString();
const toNullableTime = (time: number | null): string | null => (time === null ? null : toTime(time));
