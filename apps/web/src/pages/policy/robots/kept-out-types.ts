import { parseRobotsFile } from '#libs/robots';
import { queryOptions } from '@tanstack/react-query';
import { catalogQuery } from '../../../api/catalog-queries.js';
import { renderedRulesQuery, type RulesSelection } from '../../../api/rules-queries.js';
import { AGENT_TYPES } from '../../../ui/agent-types.js';
import { findKeptOut, isKeptOut } from './site-state.js';

/**
 * Query for the agent types whose agents a robots.txt all keeps out. Types with more agents than the file names aren't
 * checked.
 */
export const keptOutTypesQuery = (projectId: string, text: string) =>
  queryOptions({
    queryKey: ['projects', projectId, 'kept-out types', text],
    staleTime: Infinity,
    queryFn: async ({ client: queryClient }): Promise<string[]> => {
      const { names, isEveryone, file } = findKeptOut(text);
      if (names.length === 0 && !isEveryone) return [];
      const { types } = await queryClient.fetchQuery(catalogQuery);
      const candidates = (AGENT_TYPES as RulesSelection['agent_types']).filter((type) => {
        const tokens = types.find((one) => one.type === type)?.robots_tokens ?? 0;
        return tokens > 0 && (isEveryone || tokens <= names.length);
      });
      const found = await Promise.all(
        candidates.map(async (type) => {
          const selection: RulesSelection = { agent_types: [type], format: 'grouped' };
          const { text: rules } = await queryClient.fetchQuery(renderedRulesQuery(projectId, selection));
          const tokens = parseRobotsFile(new TextEncoder().encode(rules), Infinity).groups.flatMap(({ userAgents }) =>
            userAgents.map(({ name }) => name),
          );
          return tokens.length > 0 && tokens.every((token) => isKeptOut(file, token)) ? [type] : [];
        }),
      );
      return found.flat();
    },
  });
