/** Kinds of named items, by the method of requests about one of them. */
export const ITEM_KINDS: Record<string, string> = {
  'tools/call': 'Tool',
  'resources/read': 'Resource',
  'prompts/get': 'Prompt',
};
