import { fromJsonSchema, type StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import {
  countVisits,
  getCompliance,
  getDisregarded,
  getNews,
  getOverview,
  getReferrals,
  getTools,
  getUnlisted,
  getVerification,
  getVisit,
  getVisitingAgent,
  listProjects,
  listVisitingAgents,
  listVisits,
  parametersOf,
  validator,
  type Fault,
  type Operation,
} from '#libs/contracts';

/** Visits of an answer unless the assistant asks for another number: they are read by a model, not by a program. */
const VISITS = 10;

/** What an assistant can call: an operation that only reads. */
export interface McpTool {
  name: string;
  description: string;
  /** Of the arguments. */
  inputSchema: StandardSchemaWithJSON<Arguments>;
  /** The path and query of the request that the arguments stand for. */
  urlOf(given: Arguments): string;
}

type Arguments = Record<string, unknown>;

/** Faults in one text: which argument, and what is wrong with it. */
export const faultText = (faults: readonly Fault[]): string =>
  faults.map(({ pointer, detail }) => `${pointer.slice(1)} ${detail}`).join('\n');

/** Names of arguments where they differ from those of parameters: an assistant has no path to see them in. */
const ARGUMENTS: Readonly<Record<string, string>> = { id: 'project_id', visitId: 'visit_id', agentId: 'agent_id' };

/** Tools that list what an id is of, by the argument that takes it. */
const LISTS: Readonly<Record<string, string>> = {
  project_id: 'list_projects',
  visit_id: 'list_visits',
  agent_id: 'list_agents',
};

function tool(name: string, operation: Operation, defaults: Readonly<Record<string, unknown>> = {}): McpTool {
  const parameters = parametersOf(operation).map((parameter) => ({
    ...parameter,
    argument: ARGUMENTS[parameter.name] ?? parameter.name,
  }));
  const properties = parameters.map(({ argument, name: parameter, schema, description }) => [
    argument,
    {
      ...schema,
      description: argument in LISTS ? `${description} (${LISTS[argument]} has its id)` : description,
      ...(parameter in defaults && { default: defaults[parameter] }),
    },
  ]);
  return {
    name,
    description: [`${operation.summary}.`, operation.description].filter(Boolean).join(' '),
    inputSchema: checked({
      type: 'object',
      properties: Object.fromEntries(properties) as Record<string, object>,
      required: parameters.filter(({ required }) => required).map(({ argument }) => argument),
      additionalProperties: false,
    }),
    urlOf: (given) => {
      let path = operation.path;
      const query = new URLSearchParams();
      for (const { name: parameter, argument, in: location } of parameters) {
        const values = [given[argument] ?? defaults[parameter] ?? []].flat();
        if (location === 'path') path = path.replace(`{${parameter}}`, encodeURIComponent(String(values[0])));
        else for (const value of values) query.append(parameter, String(value));
      }
      return query.size === 0 ? path : `${path}?${query.toString()}`;
    },
  };
}

const withList = ({ pointer, detail }: Fault): Fault => {
  const list = LISTS[pointer.slice(1)];
  return { pointer, detail: list === undefined ? detail : `${detail}; call ${list} to find it` };
};

/** Arguments are checked as bodies of requests are. */
function checked(schema: object): StandardSchemaWithJSON<Arguments> {
  const { faults } = validator(schema);
  return fromJsonSchema<Arguments>(schema, {
    getValidator: () => (input) => {
      const found = faults(input);
      return found.length === 0
        ? { valid: true, data: input as never, errorMessage: undefined }
        : { valid: false, data: undefined, errorMessage: faultText(found.map(withList)) };
    },
  });
}

export const MCP_TOOLS: readonly McpTool[] = [
  tool('list_projects', listProjects),
  tool('get_overview', getOverview),
  tool('get_news', getNews),
  tool('list_agents', listVisitingAgents),
  tool('get_agent', getVisitingAgent),
  tool('get_verification', getVerification),
  tool('get_compliance', getCompliance),
  tool('get_disregarded', getDisregarded),
  tool('get_referrals', getReferrals),
  tool('get_unlisted', getUnlisted),
  tool('get_tools', getTools),
  tool('list_visits', listVisits, { limit: VISITS }),
  tool('count_visits', countVisits),
  tool('explain_visit', getVisit),
];
