import { Controller, Inject } from '@nestjs/common';
import {
  changePolicy,
  getPolicy,
  getPolicyCounts,
  getPolicyEffect,
  getPolicyOutcomes,
  getPolicyVersion,
  listPolicyVersions,
  MAX_COMPARED_VERSIONS,
  tryPolicy,
  POLICY_COUNT_DAYS,
  type CurrentPolicy,
  type PolicyCounts,
  type PolicyEffect,
  type PolicyForecast,
  type PolicyOutcomes,
  type PolicyVersion,
  type PolicyVersionList,
} from '#libs/contracts';
import { CLOCK, type Clock, Handle, notFound, requireMatchingVersion, type RequestOf } from '#libs/platform';
import { AccessChanges } from '../access/access-changes.service.js';
import { ProjectsRepository } from '../projects/projects.repository.js';
import { startOfDays } from '../statistics/time-range.js';
import { compareForecast } from './compare-forecasts.js';
import { PolicyCountsRepository } from './policy-counts.repository.js';
import { PolicyEffectService } from './policy-effect.service.js';
import { PolicyForecastService } from './policy-forecast.service.js';
import { PolicyOutcomesRepository } from './policy-outcomes.repository.js';
import { PolicyVersionsRepository } from './policy-versions.repository.js';
import { validatePolicy } from './validate-policy.js';

@Controller()
export class PolicyController {
  constructor(
    private readonly projects: ProjectsRepository,
    private readonly versions: PolicyVersionsRepository,
    private readonly counts: PolicyCountsRepository,
    private readonly outcomes: PolicyOutcomesRepository,
    private readonly forecasts: PolicyForecastService,
    private readonly effects: PolicyEffectService,
    private readonly changes: AccessChanges,
    @Inject(CLOCK) private readonly now: Clock,
  ) {}

  @Handle(getPolicy)
  async find({ params }: RequestOf<typeof getPolicy>): Promise<CurrentPolicy> {
    const { id } = await this.projects.require(params.id);
    return this.versions.findCurrent(id);
  }

  @Handle(changePolicy)
  async save({ params, principal, body }: RequestOf<typeof changePolicy>): Promise<CurrentPolicy> {
    validatePolicy(body.rules);
    const { rules, forecast_days: days } = body;
    const forecast = days === undefined ? null : await this.forecasts.tryForecast(params.id, rules, days);
    const version = { rules, forecast };
    const saved = await this.versions.save(params.id, version, principal.makerId, requireMatchingVersion);
    if (saved === null) throw notFound('project');
    this.changes.announce();
    return saved;
  }

  @Handle(listPolicyVersions)
  async list({ params }: RequestOf<typeof listPolicyVersions>): Promise<PolicyVersionList> {
    const { id } = await this.projects.require(params.id);
    return this.versions.list(id);
  }

  @Handle(getPolicyVersion)
  async findVersion({ params }: RequestOf<typeof getPolicyVersion>): Promise<PolicyVersion> {
    const { id } = await this.projects.require(params.id);
    const version = await this.versions.find(id, params.policyVersionId);
    if (version === null) throw notFound('version');
    return version;
  }

  @Handle(getPolicyCounts)
  async count({ params }: RequestOf<typeof getPolicyCounts>): Promise<PolicyCounts> {
    const { id, time_zone: timeZone } = await this.projects.require(params.id);
    const from = startOfDays(this.now(), POLICY_COUNT_DAYS, timeZone);
    const [counts, lastHour] = await Promise.all([this.counts.sum(id, from), this.counts.findLastHour(id, from)]);
    return { from: new Date(from).toISOString(), counts, last_hour: lastHour };
  }

  @Handle(tryPolicy)
  async trial({ params, body }: RequestOf<typeof tryPolicy>): Promise<PolicyForecast> {
    const project = await this.projects.require(params.id);
    validatePolicy(body.rules);
    return this.forecasts.forecast(project, body.rules, body.days);
  }

  @Handle(getPolicyOutcomes)
  async compare({ params }: RequestOf<typeof getPolicyOutcomes>): Promise<PolicyOutcomes> {
    const { id } = await this.projects.require(params.id);
    const now = this.now();
    const versions = await this.outcomes.list(id, now, MAX_COMPARED_VERSIONS);
    return { versions: versions.map((version) => compareForecast(version, now)) };
  }

  @Handle(getPolicyEffect)
  async describe({ params, query }: RequestOf<typeof getPolicyEffect>): Promise<PolicyEffect> {
    const project = await this.projects.require(params.id);
    return this.effects.describe(project, params.ruleId, query.days);
  }
}
