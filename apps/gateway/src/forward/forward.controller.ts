import { Controller } from '@nestjs/common';
import { IdentificationApi } from '#libs/catalog';
import { verifyForwardedRequest, type PublicIdentification, type VERDICT_HEADERS } from '#libs/contracts';
import { Handle, ProblemError, type RequestOf } from '#libs/platform';
import { Counter } from 'prom-client';
import { forwardedRequest } from './forwarded-request.js';
import { ProjectRulesService } from './project-rules.service.js';
import { isRobotsTxtRequest } from './blocking-rules.js';

const decisions = new Counter({
  name: 'agent_traffic_gateway_forward_decisions_total',
  help: 'Forwarded requests checked for reverse proxies, by decision',
  labelNames: ['decision'],
});

/** Decides for reverse proxies whether to let a visitor's request through. */
@Controller()
export class ForwardController {
  constructor(
    private readonly identifications: IdentificationApi,
    private readonly rules: ProjectRulesService,
  ) {}

  @Handle(verifyForwardedRequest)
  async verify({ project, query, raw, reply }: RequestOf<typeof verifyForwardedRequest>): Promise<void> {
    const { item, paths } = forwardedRequest(raw.headers, project.site.trustedProxies.header);
    const [results, rules] = await Promise.all([
      this.identifications.identify([item], project.site),
      this.rules.find(project.projectId),
    ]);
    const visitor = results[0]!;
    const isBlocked =
      !paths.every(isRobotsTxtRequest) &&
      (query.refuse?.some((result) => result === visitor.result) === true ||
        paths.some((path) => rules.blocks(visitor, path)));
    decisions.inc({ decision: isBlocked ? 'refused' : 'let_in' });
    const headers = verdictHeaders(visitor);
    if (isBlocked) {
      // Caddy and Traefik show this message to the visitor.
      throw new ProblemError('agent-refused', 'The rules of this site do not let this agent fetch this page.', {
        headers,
      });
    }
    void reply.headers(headers);
  }
}

/** Always returns all verdict headers. If one were missing, a proxy could pass on a header that the visitor forged. */
function verdictHeaders(visitor: PublicIdentification): Record<keyof typeof VERDICT_HEADERS, string> {
  return {
    'Agent-Traffic-Result': visitor.result,
    'Agent-Traffic-Agent': headerText(visitor.agent_token),
    'Agent-Traffic-Type': headerText(visitor.agent_type_name),
    'Agent-Traffic-Operator': headerText(visitor.operator_name),
  };
}

const headerText = (text = '-'): string => text.toWellFormed().replaceAll(/[^ -$&-~]/gu, encodeURIComponent);
