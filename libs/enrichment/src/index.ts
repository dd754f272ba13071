export { InsightsModule } from './insights.module.js';
export { ProjectSettingsRepository, type ProjectSettings } from './project-settings.repository.js';
export { reduceVisit } from './reduce-visit.js';
export { VisitInsights, type Insights, type InsightsRequest } from './visit-insights.js';
