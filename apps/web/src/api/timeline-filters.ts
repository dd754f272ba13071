// From the declared filters: npm run api-types
export const TIMELINE_FILTERS = {
  path: {"label":"Path","placeholder":"/articles","values":null},
  agent: {"label":"Agent","placeholder":"","values":null},
  result: {"label":"Verdict","placeholder":"","values":["verified","verification_failed","not_verifiable","unknown_agent"]},
  type: {"label":"Type","placeholder":"","values":["AI Agent","AI Assistant","AI Coding Agent","AI Data Provider","AI Data Scraper","AI Search Crawler","Archiver","Developer Helper","Fetcher","Automated Agent","Intelligence Gatherer","Scraper","SEO Crawler","Search Engine Crawler","Security Scanner","Undocumented AI Agent","Uncategorized"]},
  operator: {"label":"Operator","placeholder":"","values":null},
  page: {"label":"Page","placeholder":"","values":null},
  address: {"label":"Address","placeholder":"192.0.2.0/24","values":null},
  status: {"label":"Status","placeholder":"4xx","values":null},
} as const;
