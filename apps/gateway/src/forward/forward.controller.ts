import { Controller } from '@nestjs/common';
import { IdentificationApi } from '#libs/catalog';
import { verifyForwardedRequest, type PublicIdentification, type VERDICT_HEADERS } from '#libs/contracts';
import { Handle, ProblemError, type RequestOf } from '#libs/platform';
import { DECISION_HEADER, formatDecisions, isExemptPath, REFUSAL_TEXT, type DecisionResponse } from '#libs/policy';
import { Counter } from 'prom-client';
import { ForwardDecisionService } from './forward-decision.service.js';
import { forwardedRequest } from './forwarded-request.js';
import { ProjectRulesService } from './project-rules.service.js';

const decisions = new Counter({
  name: 'agent_traffic_gateway_forward_decisions_total',
  help: 'Forwarded requests checked for reverse proxies, by decision',
  labelNames: ['decision'],
});

const DECISIONS_BY_STATUS: Readonly<Record<number, string>> = {
  301: 'redirected',
  308: 'redirected',
  402: 'charged',
  403: 'refused',
  429: 'slowed',
};

/** Decides for reverse proxies whether to let a visitor's request through. */
@Controller()
export class ForwardController {
  constructor(
    private readonly identifications: IdentificationApi,
    private readonly rules: ProjectRulesService,
    private readonly policies: ForwardDecisionService,
  ) {}

  @Handle(verifyForwardedRequest)
  async verify({ project, query, raw, reply }: RequestOf<typeof verifyForwardedRequest>): Promise<void> {
    const request = forwardedRequest(raw.headers, project.site.trustedProxies.header);
    const { item, paths } = request;
    const [results, rules] = await Promise.all([
      this.identifications.identify([item], project.site),
      this.rules.find(project.projectId),
    ]);
    const visitor = results[0]!;
    const { isDecided, response, recorded } = await this.policies.decide(project, visitor, request);
    const isBlocked =
      !isDecided &&
      !paths.every(isExemptPath) &&
      (query.refuse?.some((result) => result === visitor.result) === true ||
        paths.some((path) => rules.blocks(visitor, path)));
    decisions.inc({ decision: isBlocked ? 'refused' : (DECISIONS_BY_STATUS[response?.status ?? 0] ?? 'let_in') });
    const headers = { ...verdictHeaders(visitor), [DECISION_HEADER]: formatDecisions(recorded) || '-' };
    if (isBlocked && query.status === null) {
      // Caddy and Traefik show this message to the visitor.
      throw new ProblemError('agent-refused', REFUSAL_TEXT, { headers });
    }
    void reply.headers(headers);
    const denial = isBlocked ? REFUSAL : response;
    if (denial === null) return void reply.code(204).send();
    if (query.status === null) void reply.code(denial.status);
    else void reply.code(Number(query.status)).headers(statusHeaders(denial));
    // Node.js would encode headers as UTF-8 if the body were text.
    const text = Buffer.from(`${denial.text}\n`);
    void reply.headers(denial.headers).type('text/plain; charset=utf-8').send(text);
  }
}

const REFUSAL: DecisionResponse = { status: 403, headers: {}, text: REFUSAL_TEXT };

/** Returns the response's status and text for proxies that can only read the headers. */
const statusHeaders = ({ status, text }: DecisionResponse): Record<string, string> => ({
  'Agent-Traffic-Status': String(status),
  // Node.js sends header values as Latin-1.
  'Agent-Traffic-Message': Buffer.from(text).toString('latin1'),
});

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
