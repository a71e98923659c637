import { Store } from './store.js';

/** The route of the page: a screen and its parameters. */
interface Route {
  readonly screen: string;
  readonly parts: readonly string[];
}

class Router extends Store {
  route: Route = read();

  constructor() {
    super();
    addEventListener('hashchange', () => this.look());
  }

  /** Reads the screen and its parameters from the URL. */
  look(): void {
    this.route = read();
    this.changed();
  }
}

function read(): Route {
  const [screen = '', ...parts] = location.hash.replace(/^#\/?/, '').split('/').map(decodeURIComponent);
  return { screen: screen === '' ? 'home' : screen, parts };
}

export const router = new Router();

/** Returns the URL of a screen. */
export function to(screen: string, ...parts: readonly (string | number)[]): string {
  return `#/${[screen, ...parts.map((part) => encodeURIComponent(part))].join('/')}`;
}

export function go(screen: string, ...parts: readonly (string | number)[]): void {
  location.hash = to(screen, ...parts);
}
