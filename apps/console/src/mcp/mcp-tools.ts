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
  listParameters,
  validator,
  type Fault,
  type Operation,
} from '#libs/contracts';

/** Default number of visits per page. It's small, because a model reads the result. */
const DEFAULT_PAGE_SIZE = 10;

/** Read-only operation that an assistant can call. */
export interface McpTool {
  name: string;
  description: string;
  inputSchema: StandardSchemaWithJSON<Arguments>;
  /** Returns the path and query of the request for the given arguments. */
  buildUrl(args: Arguments): string;
}

type Arguments = Record<string, unknown>;

/** Returns one line per fault, with the argument's name and the problem. */
export const formatFaults = (faults: readonly Fault[]): string =>
  faults.map(({ pointer, detail }) => `${pointer.slice(1)} ${detail}`).join('\n');

/**
 * Clearer argument names for parameters. Their own names only make sense next to the path, which assistants don't see.
 */
const ARGUMENT_NAMES: Readonly<Record<string, string>> = { id: 'project_id', visitId: 'visit_id', agentId: 'agent_id' };

/** Tools that list the possible IDs for each argument. */
const LIST_TOOLS: Readonly<Record<string, string>> = {
  project_id: 'list_projects',
  visit_id: 'list_visits',
  agent_id: 'list_agents',
};

function defineTool(name: string, operation: Operation, defaults: Readonly<Record<string, unknown>> = {}): McpTool {
  const parameters = listParameters(operation).map((parameter) => ({
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
    inputSchema: createInputSchema({
      type: 'object',
      properties: Object.fromEntries(properties) as Record<string, object>,
      required: parameters.filter(({ required }) => required).map(({ argument }) => argument),
      additionalProperties: false,
    }),
    buildUrl: (args) => {
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

const addListTool = ({ pointer, detail }: Fault): Fault => {
  const list = LIST_TOOLS[pointer.slice(1)];
  return { pointer, detail: list === undefined ? detail : `${detail}. Call ${list} to find it.` };
};

/** Returns a schema whose input is validated like a request body. */
function createInputSchema(schema: object): StandardSchemaWithJSON<Arguments> {
  const { faults } = validator(schema);
  return fromJsonSchema<Arguments>(schema, {
    getValidator: () => (input) => {
      const inputFaults = faults(input);
      return inputFaults.length === 0
        ? { valid: true, data: input as never, errorMessage: undefined }
        : { valid: false, data: undefined, errorMessage: formatFaults(inputFaults.map(addListTool)) };
    },
  });
}

export const MCP_TOOLS: readonly McpTool[] = [
  defineTool('list_projects', listProjects),
  defineTool('get_overview', getOverview),
  defineTool('get_news', getNews),
  defineTool('list_agents', listVisitingAgents),
  defineTool('get_agent', getVisitingAgent),
  defineTool('get_verification', getVerification),
  defineTool('get_compliance', getCompliance),
  defineTool('get_disregarded', getDisregarded),
  defineTool('get_referrals', getReferrals),
  defineTool('get_unlisted', getUnlisted),
  defineTool('get_tools', getTools),
  defineTool('list_visits', listVisits, { limit: DEFAULT_PAGE_SIZE }),
  defineTool('count_visits', countVisits),
  defineTool('explain_visit', getVisit),
];
