import { Module } from '@nestjs/common';
import { NetworksService } from './networks.service.js';

@Module({ providers: [NetworksService], exports: [NetworksService] })
export class NetworksModule {}
