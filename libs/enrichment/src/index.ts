export { readDecisions } from './visit-decisions.js';
export { InsightsModule } from './insights.module.js';
export { ProjectSettingsRepository, type ProjectSettings } from './project-settings.repository.js';
export { getTestMarker, reduceVisit } from './reduce-visit.js';
export { toTestAgentHeaders } from './test-agent-headers.js';
export { VisitInsights, type Insights, type InsightsRequest } from './visit-insights.js';
