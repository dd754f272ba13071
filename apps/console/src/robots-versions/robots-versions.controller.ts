import { Controller, Inject } from '@nestjs/common';
import {
  getRobotsVersion,
  listRobotsVersions,
  parseTimestamp,
  recordRobotsVersion,
  refreshRobotsVersions,
  robotsVersionCursor,
  getSiteHosts,
  type NewRobotsVersion,
  type RobotsTxtHost,
  type RobotsVersion,
  type RobotsVersionPage,
  type RobotsVersionWithText,
} from '#libs/contracts';
import {
  CLOCK,
  type Clock,
  Handle,
  invalidBody,
  notFound,
  ProblemError,
  recordAuditEntry,
  type RequestOf,
} from '#libs/platform';
import { parseRobotsSignals } from '#libs/robots';
import { AccessChanges } from '../access/access-changes.service.js';
import { ProjectsRepository, type StoredProject } from '../projects/projects.repository.js';
import { LicensesService } from './licenses.service.js';
import { RobotsFetchesService } from './robots-fetches.service.js';
import { RobotsHostsRepository } from './robots-hosts.repository.js';
import { RobotsVersionsRepository, type ServedRobots } from './robots-versions.repository.js';

@Controller()
export class RobotsVersionsController {
  constructor(
    private readonly projects: ProjectsRepository,
    private readonly versions: RobotsVersionsRepository,
    private readonly hosts: RobotsHostsRepository,
    private readonly fetches: RobotsFetchesService,
    private readonly licenses: LicensesService,
    private readonly changes: AccessChanges,
    @Inject(CLOCK) private readonly now: Clock,
  ) {}

  @Handle(listRobotsVersions)
  async list({ params, query }: RequestOf<typeof listRobotsVersions>): Promise<RobotsVersionPage> {
    const project = await this.projects.require(params.id);
    const { host, limit, cursor: after } = query;
    const [found, hosts] = await Promise.all([
      this.versions.list(project.id, { host: host?.toLowerCase() ?? null, after, limit: limit + 1 }),
      this.listHosts(project),
    ]);
    const versions = found.slice(0, limit);
    const last = versions.at(-1);
    const next =
      found.length > limit && last !== undefined
        ? robotsVersionCursor.write({ servedFrom: Date.parse(last.served_from), id: last.id })
        : null;
    return { versions, next_cursor: next, hosts };
  }

  @Handle(recordRobotsVersion)
  async record({ params, body }: RequestOf<typeof recordRobotsVersion>): Promise<RobotsVersion> {
    const project = await this.projects.require(params.id);
    const host = resolveSiteHost(body.host, project);
    const from = body.served_from === undefined ? this.now() : parseTimestamp(body.served_from)!;
    if (from > this.now()) throw invalidBody('/served_from', 'must not be in the future');
    const version = await this.versions.record(project.id, host, toServedRobots(body), from);
    if (version === 'unknown') throw notFound('project');
    if (version === 'taken') {
      throw new ProblemError(
        'conflict',
        'Another version for this host already starts at this time. Choose another time.',
      );
    }
    this.changes.announce();
    return version;
  }

  @Handle(refreshRobotsVersions)
  async refresh({ params }: RequestOf<typeof refreshRobotsVersions>): Promise<{ hosts: RobotsTxtHost[] }> {
    const project = await this.projects.require(params.id);
    await recordAuditEntry();
    await this.fetches.refreshProject(project.id);
    await this.licenses.refreshProject(project.id);
    return { hosts: await this.listHosts(project) };
  }

  @Handle(getRobotsVersion)
  async find({ params }: RequestOf<typeof getRobotsVersion>): Promise<RobotsVersionWithText> {
    const { id } = await this.projects.require(params.id);
    const found = await this.versions.find(id, params.robotsVersionId);
    if (found === null) throw notFound('version');
    const { version, text } = found;
    const signals = text === null ? [] : parseRobotsSignals(Buffer.from(text), Infinity);
    return {
      ...version,
      text,
      signals: signals.map(({ userAgents, ...signal }) => ({ ...signal, user_agents: userAgents })),
    };
  }

  private async listHosts(project: StoredProject): Promise<RobotsTxtHost[]> {
    const [fetched, inForce] = await Promise.all([this.hosts.list(project.id), this.versions.listInForce(project.id)]);
    const byHost = new Map(fetched.map((fetchedHost) => [fetchedHost.host, fetchedHost]));
    return getSiteHosts(project).map((host) => {
      const { checked_at: checkedAt = null, url = null, fault = null } = byHost.get(host) ?? {};
      return { host, checked_at: checkedAt?.toISOString() ?? null, url, fault, version: inForce.get(host) ?? null };
    });
  }
}

/** @throws {ProblemError} 422 if the host doesn't belong to the project. */
export function resolveSiteHost(requestedHost: string | undefined, project: StoredProject): string {
  const hosts = getSiteHosts(project);
  const host = requestedHost?.toLowerCase() ?? hosts[0];
  if (host !== undefined && hosts.includes(host)) return host;
  if (hosts.length === 0) {
    throw invalidBody('/host', 'cannot be determined, because the project has no host names. Add them in its settings');
  }
  throw invalidBody('/host', `must be one of the project's hosts: ${hosts.slice(0, 10).join(', ')}`);
}

/** @throws {ProblemError} 422 if the text and the status contradict each other. */
function toServedRobots({ text, status = 200 }: NewRobotsVersion): ServedRobots {
  if (status === 200 && text === undefined) throw invalidBody('/text', 'is required with status 200');
  if (status !== 200 && text !== undefined) throw invalidBody('/text', 'must be omitted unless the status is 200');
  if (status > 200 && status < 400) throw invalidBody('/status', 'must be 200 or from 400 to 599');
  return { status, bytes: text === undefined ? null : Buffer.from(text) };
}
