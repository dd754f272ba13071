import { Injectable } from '@nestjs/common';
import { Bus, BusUnavailableError, RECEIVED_VISITS } from '#libs/bus';
import { createBatchId, SAMPLE_VISIT_HEADER, createVisitId, type Visit } from '#libs/contracts';
import { unavailable } from '#libs/platform';
import type { StoredProject } from '../projects/projects.repository.js';
import { createReceivedVisits } from './received-visits.js';
import { TestAgentService } from './test-agent.service.js';

/** IP address reserved for documentation (RFC 5737). */
const CLIENT_ADDRESS = '192.0.2.1';

/**
 * Publishes a sample visit as if the project's site had reported it. Bypasses the gateway, which would require an
 * access token.
 */
@Injectable()
export class SampleVisitService {
  constructor(
    private readonly testAgent: TestAgentService,
    private readonly bus: Bus,
  ) {}

  /**
   * @returns The visit's ID.
   * @throws {ProblemError} 503 if the visit can't be stored.
   */
  async send(project: StoredProject, traceparent: string): Promise<string> {
    const site = URL.parse(project.site_address ?? '');
    const host = project.host_names[0] ?? site?.host ?? 'sample.example';
    const url = new URL(`${site?.protocol ?? 'https:'}//${host}/sample-visit`);
    const { method, headers } = await this.testAgent.signVisit(url);
    const visit: Visit = {
      request_path: url.pathname,
      request_method: method,
      request_headers: {
        host: url.host,
        ...headers,
        'x-forwarded-for': CLIENT_ADDRESS,
        [SAMPLE_VISIT_HEADER]: 'yes',
      },
      response_status_code: 200,
      response_headers: { 'content-type': 'text/html; charset=utf-8' },
      response_duration_in_milliseconds: 12,
    };
    const id = createBatchId();
    try {
      const batch = { batchId: id, projectId: project.id, traceparent };
      await this.bus.publish(RECEIVED_VISITS, [createReceivedVisits(batch, [visit])]);
    } catch (error) {
      if (!(error instanceof BusUnavailableError)) throw error;
      throw unavailable(
        'The visit could not be stored because the message bus is unavailable. Try again in a moment.',
        error,
      );
    }
    return createVisitId(id, 0);
  }
}
