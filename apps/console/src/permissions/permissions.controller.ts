import { Controller, Inject } from '@nestjs/common';
import { getPermissions, getSiteHosts, MAX_PERMISSION_DAYS, type Permissions } from '#libs/contracts';
import { CLOCK, type Clock, Handle, invalidQueryError, type RequestOf } from '#libs/platform';
import { ProjectsRepository } from '../projects/projects.repository.js';
import { resolveRange } from '../statistics/time-range.js';
import { PermissionsService } from './permissions.service.js';

const DAY_MS = 86_400_000;
const DEFAULT_DAYS = 7;

@Controller()
export class PermissionsController {
  constructor(
    private readonly permissions: PermissionsService,
    private readonly projects: ProjectsRepository,
    @Inject(CLOCK) private readonly now: Clock,
  ) {}

  @Handle(getPermissions)
  async report({ params, query }: RequestOf<typeof getPermissions>): Promise<Permissions> {
    const to = query.to ?? this.now();
    const from = query.from ?? to - DEFAULT_DAYS * DAY_MS;
    if (to - from > MAX_PERMISSION_DAYS * DAY_MS) {
      throw invalidQueryError([{ pointer: '/from', detail: `must be at most ${MAX_PERMISSION_DAYS} days before to` }]);
    }
    const range = resolveRange({ from, to }, this.now());
    const project = await this.projects.require(params.id);
    const hosts = getSiteHosts(project);
    const host = query.host?.toLowerCase() ?? hosts[0] ?? null;
    if (host !== null && !hosts.includes(host)) {
      throw invalidQueryError([{ pointer: '/host', detail: "must be one of the project's hosts" }]);
    }
    return this.permissions.report(project, host, range);
  }
}
