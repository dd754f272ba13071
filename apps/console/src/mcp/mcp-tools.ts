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

/** Default page size of visits. It is small, because a model reads the result. */
const DEFAULT_VISITS = 10;

/** Read-only operation that an assistant can call. */
export interface McpTool {
  name: string;
  description: string;
  inputSchema: StandardSchemaWithJSON<Arguments>;
  /** Returns the path and query of the request for the given arguments. */
  urlOf(args: Arguments): string;
}

type Arguments = Record<string, unknown>;

/** Returns one line per fault, with the argument and the problem. */
export const faultText = (faults: readonly Fault[]): string =>
  faults.map(({ pointer, detail }) => `${pointer.slice(1)} ${detail}`).join('\n');

/** Arguments with a longer name than their parameter, because assistants don't see the path that explains it. */
const ARGUMENT_NAMES: Readonly<Record<string, string>> = { id: 'project_id', visitId: 'visit_id', agentId: 'agent_id' };

/** Tools that list the possible IDs, by argument. */
const LIST_TOOLS: Readonly<Record<string, string>> = {
  project_id: 'list_projects',
  visit_id: 'list_visits',
  agent_id: 'list_agents',
};

function tool(name: string, operation: Operation, defaults: Readonly<Record<string, unknown>> = {}): McpTool {
  const parameters = parametersOf(operation).map((parameter) => ({
    ...parameter,
    argument: ARGUMENT_NAMES[parameter.name] ?? parameter.name,
  }));
  const properties = parameters.map(({ argument, name: parameter, schema, description }) => [
    argument,
    {
      ...schema,
      description: argument in LIST_TOOLS ? `${description}. Call ${LIST_TOOLS[argument]} to find it.` : description,
      ...(parameter in defaults && { default: defaults[parameter] }),
    },
  ]);
  return {
    name,
    description: [`${operation.summary}.`, operation.description].filter(Boolean).join(' '),
    inputSchema: validatedSchema({
      type: 'object',
      properties: Object.fromEntries(properties) as Record<string, object>,
      required: parameters.filter(({ required }) => required).map(({ argument }) => argument),
      additionalProperties: false,
    }),
    urlOf: (args) => {
      let path = operation.path;
      const query = new URLSearchParams();
      for (const { name: parameter, argument, in: location } of parameters) {
        const values = [args[argument] ?? defaults[parameter] ?? []].flat();
        if (location === 'path') path = path.replace(`{${parameter}}`, encodeURIComponent(String(values[0])));
        else for (const value of values) query.append(parameter, String(value));
      }
      return query.size === 0 ? path : `${path}?${query.toString()}`;
    },
  };
}

const withList = ({ pointer, detail }: Fault): Fault => {
  const list = LIST_TOOLS[pointer.slice(1)];
  return { pointer, detail: list === undefined ? detail : `${detail}; call ${list} to find it` };
};

/** Returns a schema whose input is validated like a request body. */
function validatedSchema(schema: object): StandardSchemaWithJSON<Arguments> {
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
  tool('list_visits', listVisits, { limit: DEFAULT_VISITS }),
  tool('count_visits', countVisits),
  tool('explain_visit', getVisit),
];
