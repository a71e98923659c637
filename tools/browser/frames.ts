/** Number of created frames, for unique names. */
let framesMade = 0;

const FRAME_STYLE = `body{margin:0;font:16px/1.4 system-ui,sans-serif}
input,select{font:inherit;padding:.35rem;width:100%;box-sizing:border-box}
label{display:block;margin:.3rem 0}
.line{display:flex;gap:.5rem}.line input{border:0;padding:0;outline:0;min-width:2.5rem;flex:1;background:none}.line input:first-child{flex:3}`;

/**
 * Puts content into a frame: a document of the page itself, whose address describes it.
 * @param size of the frame, in CSS, which its content fills; without it, the frame is as high as its content
 */
function framed(
  content: HTMLElement,
  { name }: FramesDescription,
  title: string,
  address: string,
  size?: string,
): HTMLIFrameElement {
  const frame = document.createElement('iframe');
  frame.name = `${name}${String(++framesMade)}`;
  frame.title = title;
  // Sets an address that describes the content, so that tests can find the frame by it; browsers load `srcdoc` instead.
  frame.src = `about:blank#${address}`;
  frame.srcdoc = '<!doctype html>';
  frame.style.cssText = size ?? 'display:block;width:100%;border:0;height:1.4em;min-height:1.4em';
  // Fills the frame again after each load, because browsers load it empty whenever it is moved in the document.
  frame.addEventListener('load', () => {
    const inner = frame.contentDocument;
    if (!inner) return;
    const style = inner.createElement('style');
    style.textContent = FRAME_STYLE;
    inner.head.append(style);
    inner.body.append(content);
    if (size !== undefined) return;
    new ResizeObserver(() => (frame.style.height = `${String(content.offsetHeight)}px`)).observe(content);
  });
  return frame;
}

/** A page of the sandbox in a frame of the shop's page. `loaded` is called whenever an action loads another page in the frame. */
class FramedPage {
  readonly #frame = document.createElement('iframe');

  constructor(url: string, loaded: () => Promise<void>) {
    this.#frame.src = url;
    this.#frame.title = 'Checkout';
    this.#frame.style.cssText = 'width:100%;height:800px;border:0';
    this.#frame.addEventListener('load', () => void loaded());
  }

  mount(target: unknown): void {
    placeFor(target, 'page').replaceChildren(this.#frame);
  }

  unmount(): void {
    this.#frame.remove();
  }

  destroy(): void {
    this.unmount();
  }
}

/** A page of the sandbox in an overlay on the shop's page. Messages that it posts call functions of the shop's page. */
class OpenedPage {
  #cover: HTMLElement | null = null;
  #window: Window | null = null;

  constructor(
    private readonly url: string,
    private readonly opens: OpenDescription,
    private readonly named: Values,
    private readonly frames: FramesDescription | undefined,
  ) {
    addEventListener('message', (message) => this.#read(message));
  }

  open(): void {
    if (this.#cover !== null) return;
    const { cover, frame, close } = overlay(this.url, this.frames);
    this.#cover = cover;
    close.addEventListener('click', () => this.leave());
    document.body.append(cover);
    this.#window = frame.contentWindow;
    if (this.opens.opened) this.#call(this.opens.opened);
  }

  leave(): void {
    if (this.#cover === null) return;
    this.remove();
    if (this.opens.left) this.#call(this.opens.left);
  }

  remove(): void {
    this.#cover?.remove();
    this.#cover = null;
    this.#window = null;
  }

  ignore(): void {}

  #read({ source, data }: MessageEvent<unknown>): void {
    if (this.#window === null || source !== this.#window || !isMap(data) || !Array.isArray(data['posts'])) return;
    for (const posted of data['posts'] as readonly unknown[]) {
      if (!isMap(posted) || typeof posted['call'] !== 'string' || !Array.isArray(posted['with'])) continue;
      const { call, with: given } = posted as unknown as PostedCall;
      if (this.opens.ends.includes(call)) this.remove();
      this.#call({ call, with: given });
    }
  }

  #call({ call, with: given }: PostedCall): void {
    const path = Object.hasOwn(this.opens.calls, call) ? this.opens.calls[call] : undefined;
    const called = path === undefined ? undefined : valueAt(this.named, path);
    if (isFunction(called)) called(...given);
  }
}

/** Finds an element of the page, given as an element or a selector. @throws Error if there is none */
function placeFor(target: unknown, what: string): Element {
  const place = typeof target === 'string' ? document.querySelector(target) : target;
  if (place instanceof Element) return place;
  throw new Error(`there is no place '${String(target)}' for the ${what}`);
}

/** Shows the bank's page in an overlay. */
function overlay(
  url: string,
  frames: FramesDescription | undefined,
): {
  readonly cover: HTMLElement;
  readonly frame: HTMLIFrameElement;
  readonly close: HTMLElement;
} {
  const cover = document.createElement('div');
  cover.setAttribute('role', 'dialog');
  cover.setAttribute('aria-modal', 'true');
  cover.style.cssText =
    'position:fixed;inset:0;z-index:2147483647;background:rgba(0,0,0,.5);display:flex;flex-direction:column;align-items:center;justify-content:center;gap:8px';
  const frame = document.createElement('iframe');
  frame.src = url;
  frame.title = 'Confirmation';
  const size = 'width:min(480px,95vw);height:min(560px,85vh);border:0;background:#fff';
  const close = document.createElement('button');
  close.type = 'button';
  close.textContent = 'Close';
  if (frames === undefined) {
    frame.style.cssText = size;
    cover.append(frame, close);
  } else {
    const { title, address, inner } = frames.over;
    frame.id = inner;
    frame.style.cssText = 'position:fixed;inset:0;width:100%;height:100%;border:0';
    cover.append(framed(frame, frames, title, address, size), close);
  }
  return { cover, frame, close };
}
