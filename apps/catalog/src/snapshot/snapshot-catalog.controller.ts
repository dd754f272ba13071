import { Controller } from '@nestjs/common';
import { readSnapshotCatalogOperation, type VersionedSnapshotCatalog } from '#libs/catalog';
import { Handle, type RequestOf } from '#libs/platform';
import { SnapshotCatalogService } from './snapshot-catalog.service.js';

/** Internal API for the gateway. */
@Controller()
export class SnapshotCatalogController {
  constructor(private readonly catalog: SnapshotCatalogService) {}

  @Handle(readSnapshotCatalogOperation)
  read({ body }: RequestOf<typeof readSnapshotCatalogOperation>): Promise<VersionedSnapshotCatalog | null> {
    return this.catalog.read(body.tag);
  }
}
