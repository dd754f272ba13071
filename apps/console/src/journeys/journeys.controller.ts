import { Controller, Inject } from '@nestjs/common';
import {
  getJourney,
  getJourneySummary,
  listJourneys,
  type Journey,
  type Journeys,
  type JourneySummary,
} from '#libs/contracts';
import { CLOCK, Handle, notFound, type Clock, type RequestOf } from '#libs/platform';
import { ProjectsRepository } from '../projects/projects.repository.js';
import { createSeries, resolveRange } from '../statistics/time-range.js';
import { JourneysService } from './journeys.service.js';

@Controller()
export class JourneysController {
  constructor(
    private readonly journeys: JourneysService,
    private readonly projects: ProjectsRepository,
    @Inject(CLOCK) private readonly now: Clock,
  ) {}

  @Handle(listJourneys)
  async list({ params: { id: projectId }, query }: RequestOf<typeof listJourneys>): Promise<Journeys> {
    const { limit, cursor: before } = query;
    const range = resolveRange(query, this.now());
    await this.projects.require(projectId);
    return this.journeys.list(projectId, query, range, { limit, before });
  }

  @Handle(getJourneySummary)
  async summarize({ params: { id: projectId }, query }: RequestOf<typeof getJourneySummary>): Promise<JourneySummary> {
    const { time_zone: timeZone } = await this.projects.require(projectId);
    return this.journeys.summarize(projectId, query, createSeries(resolveRange(query, this.now()), timeZone));
  }

  @Handle(getJourney)
  async find({ params: { id: projectId, journeyId } }: RequestOf<typeof getJourney>): Promise<Journey> {
    const journey = await this.journeys.find(projectId, journeyId);
    if (journey === null) throw notFound('session');
    return journey;
  }
}
