import { Global, Module } from '@nestjs/common';
import { CurrentCatalogue } from './current-catalogue.js';
import { FollowedCatalogue } from './followed-catalogue.js';

/** Binds {@link CurrentCatalogue} to what the catalog service publishes. */
@Global()
@Module({ providers: [{ provide: CurrentCatalogue, useClass: FollowedCatalogue }], exports: [CurrentCatalogue] })
export class FollowedCatalogueModule {}
