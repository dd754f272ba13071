import { Module } from '@nestjs/common';
import { McpController } from './mcp.controller.js';

/** What people's assistants read by. */
@Module({ controllers: [McpController] })
export class McpModule {}
