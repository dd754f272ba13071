import { Controller } from '@nestjs/common';
import { AgentsApi } from '#libs/catalog';
import {
  changeRetention,
  listAgents,
  completeQuery,
  getPipeline,
  getRetention,
  getSystem,
  type Pipeline,
  type Retention,
  type System,
} from '#libs/contracts';
import { Handle, requireMatchingVersion, type RequestOf } from '#libs/platform';
import { PublicUrlTls } from '../public-url-tls.js';
import { NetworksService } from '../networks/networks.service.js';
import { PipelineService } from './pipeline.service.js';
import { ProcessesRepository } from './processes.repository.js';
import { QueueService } from './queue.service.js';
import { RulesHealthService } from './rules-health.service.js';
import { SystemRepository } from './system.repository.js';

@Controller()
export class SystemController {
  constructor(
    private readonly systemRepository: SystemRepository,
    private readonly processes: ProcessesRepository,
    private readonly queue: QueueService,
    private readonly rules: RulesHealthService,
    private readonly agents: AgentsApi,
    private readonly pipeline: PipelineService,
    private readonly networks: NetworksService,
    private readonly tls: PublicUrlTls,
  ) {}

  @Handle(getSystem)
  async show(): Promise<System> {
    const [processes, rules, queue, { catalog, ...stored }, retention, version] = await Promise.all([
      this.processes.list(),
      this.rules.read(),
      this.queue.read(),
      this.systemRepository.read(),
      this.systemRepository.estimateRetention(),
      this.readCatalogVersion(),
    ]);
    return {
      processes,
      rules,
      queue,
      ...stored,
      catalog: { version, ...catalog },
      network_files: this.networks.states,
      is_public_url_insecure: this.tls.isPublicUrlInsecure,
      retention,
    };
  }

  @Handle(getRetention)
  async showRetention(): Promise<Retention> {
    return this.systemRepository.getRetention();
  }

  @Handle(changeRetention)
  async changeRetention({ body }: RequestOf<typeof changeRetention>): Promise<Retention> {
    return this.systemRepository.setRetention(body, requireMatchingVersion);
  }

  @Handle(getPipeline)
  async showPipeline(): Promise<Pipeline> {
    return this.pipeline.read();
  }

  /** Returns null if the catalog is unavailable. */
  private async readCatalogVersion(): Promise<string | null> {
    return this.agents.list({ query: completeQuery(listAgents, { limit: 1 }) }).then(
      ({ catalog_version: version }) => version,
      () => null,
    );
  }
}
