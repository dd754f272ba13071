// From the declared filters: npm run dashboard-constants
export const TIMELINE_FILTERS = {
  path: {"label":"Path","placeholder":"/articles","values":null,"form":null},
  agent: {"label":"Agent","placeholder":"","values":null,"form":null},
  result: {"label":"Verdict","placeholder":"","values":["verified","verification_failed","not_verifiable","unknown_agent"],"form":null},
  type: {"label":"Type","placeholder":"","values":["AI Agent","AI Assistant","AI Coding Agent","AI Data Provider","AI Data Scraper","AI Search Crawler","Archiver","Developer Helper","Fetcher","Automated Agent","Intelligence Gatherer","Scraper","SEO Crawler","Search Engine Crawler","Security Scanner","Undocumented AI Agent","Uncategorized"],"form":null},
  operator: {"label":"Operator","placeholder":"","values":null,"form":null},
  page: {"label":"Page","placeholder":"","values":null,"form":null},
  address: {"label":"Address","placeholder":"192.0.2.0/24","values":null,"form":{"pattern":"^((25[0-5]|2[0-4]\\d|1?\\d?\\d)(\\.(25[0-5]|2[0-4]\\d|1?\\d?\\d)){3}(\\/(3[0-2]|[12]?\\d))?|[\\da-fA-F]*:[\\da-fA-F:.]*(\\/\\d{1,3})?)$","fault":"must be an address, or a network such as 192.0.2.0/24"}},
  status: {"label":"Status","placeholder":"4xx","values":null,"form":{"pattern":"^(\\d{1,9}|[1-9][xX]{2})$","fault":"must be a status such as 404, or a class such as 4xx"}},
  robots: {"label":"robots.txt","placeholder":"","values":["allowed","disallowed","no_rules","unreachable","unknown"],"form":null},
  assistant: {"label":"Assistant","placeholder":"","values":null,"form":null},
  automation: {"label":"Automation","placeholder":"","values":["likely","unclear","unlikely"],"form":null},
  user_agent_group: {"label":"Unlisted user agent","placeholder":"","values":null,"form":null},
  mcp_tool: {"label":"MCP tool","placeholder":"","values":null,"form":null},
  kind: {"label":"Kind","placeholder":"","values":["page","mcp","acp","ucp"],"form":null},
} as const;
