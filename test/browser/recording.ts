import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Locator, Page } from '@playwright/test';

/** Encoder in Debian's `webp` package. */
const ENCODER = '/usr/bin/img2webp';
const QUALITY = 90;
const FRAME_MS = 80;
/** Number of frames in which the pointer moves to an element. */
const MOVE_FRAMES = 7;
const POINTER_SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" width="24" height="24"><path d="M3 2l7 18 2.5-7.5L20 10z" fill="#111" stroke="#fff" stroke-width="1.5"/></svg>';
const POINTER_ID = 'recorded-pointer';

/** Records a page as an animated WebP image, which READMEs can show. Frames are only taken when the page changes. */
export class Recording {
  private readonly frames: { image: Buffer; durationMs: number }[] = [];
  private pointer = { x: 640, y: 420 };

  constructor(private readonly page: Page) {
    if (!existsSync(ENCODER)) throw new Error(`${ENCODER} doesn't exist. Install the webp package.`);
  }

  /** Total duration in milliseconds. */
  get durationMs(): number {
    return this.frames.reduce((sum, frame) => sum + frame.durationMs, 0);
  }

  /** Shows the current page for a while. */
  async hold(durationMs: number): Promise<void> {
    await this.drawPointer();
    this.frames.push({ image: await this.page.screenshot({ caret: 'hide' }), durationMs });
  }

  /** Moves the pointer to an element. */
  async moveTo(target: Locator): Promise<void> {
    await target.scrollIntoViewIfNeeded();
    const box = (await target.boundingBox())!;
    const end = { x: box.x + Math.min(box.width / 2, 60), y: box.y + box.height / 2 };
    const start = this.pointer;
    for (let frame = 1; frame <= MOVE_FRAMES; frame += 1) {
      const progress = Math.sin(((frame / MOVE_FRAMES) * Math.PI) / 2);
      this.pointer = { x: start.x + (end.x - start.x) * progress, y: start.y + (end.y - start.y) * progress };
      await this.hold(FRAME_MS);
    }
  }

  /** Moves the pointer to an element and clicks it. */
  async click(target: Locator): Promise<void> {
    await this.moveTo(target);
    await target.click();
  }

  /** @returns The image. */
  async encode(): Promise<Buffer> {
    const folder = await mkdtemp(join(tmpdir(), 'agent-traffic-recording-'));
    try {
      const args = ['-loop', '0', '-min_size'];
      for (const [index, { image, durationMs }] of this.frames.entries()) {
        const file = join(folder, `${index}.png`);
        await writeFile(file, image);
        args.push('-lossy', '-q', String(QUALITY), '-m', '4', '-d', String(durationMs), file);
      }
      const output = join(folder, 'recording.webp');
      await promisify(execFile)(ENCODER, [...args, '-o', output]);
      return await readFile(output);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  /** Draws the pointer, because screenshots don't include the system's. Pages that were left have lost it. */
  private async drawPointer(): Promise<void> {
    await this.page.evaluate(
      `(() => {
        let pointer = document.getElementById('${POINTER_ID}');
        if (pointer === null) {
          pointer = new Image(24, 24);
          pointer.id = '${POINTER_ID}';
          pointer.src = 'data:image/svg+xml,' + ${JSON.stringify(encodeURIComponent(POINTER_SVG))};
          Object.assign(pointer.style, { position: 'fixed', zIndex: 9999, pointerEvents: 'none' });
          document.body.append(pointer);
        }
        Object.assign(pointer.style, { left: '${this.pointer.x}px', top: '${this.pointer.y}px' });
      })()`,
    );
    await this.page.evaluate(`document.getElementById('${POINTER_ID}').decode()`);
  }
}
