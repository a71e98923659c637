import type { RedirectPlaces } from '../in-tests/redirect-places.js';

/** The proxy to use for a host; null for a direct connection. */
type WayOut = URL | null;

/**
 * The user's own proxies from the environment (HTTPS_PROXY, HTTP_PROXY, ALL_PROXY; lower case has priority), and the hosts that bypass them
 * (NO_PROXY).
 */
export class Upstream {
  private readonly without: readonly string[];

  constructor(private readonly env: NodeJS.ProcessEnv) {
    this.without = (this.variable('NO_PROXY') ?? '')
      .toLowerCase()
      .split(/[\s,]+/)
      .filter(Boolean);
  }

  /** Proxies in the environment that can't be used: they use another protocol than HTTP, or are invalid. */
  get unusable(): readonly string[] {
    return [...new Set(['HTTPS_PROXY', 'HTTP_PROXY', 'ALL_PROXY'].map((name) => this.variable(name) ?? ''))].filter(
      (text) => text !== '' && usable(text) === null,
    );
  }

  /** Whether the user's environment contains a proxy. */
  get isUsed(): boolean {
    return ['HTTPS_PROXY', 'HTTP_PROXY', 'ALL_PROXY'].some((name) => usable(this.variable(name) ?? '') !== null);
  }

  /** Returns NO_PROXY for a program: these hosts, and the user's own except those that would bypass the sandbox for a vendor. */
  noProxy(hosts: readonly string[], places: RedirectPlaces): string {
    const covers = (entry: string): boolean => {
      const domain = entry.replace(/:\d+$/, '').replace(/^\*?\.?/, '');
      return places.some(
        ([each]) => isBelow(each.replace(/^\*\./, ''), domain) || isBelow(domain, each.replace(/^\*\./, '')),
      );
    };
    return [...hosts, ...this.without.filter((entry) => !hosts.includes(entry) && !covers(entry))].join(',');
  }

  /** Selects the proxy for a connection to a host. For `https`, the proxy is used as a tunnel. */
  wayTo(scheme: 'http' | 'https', host: string, port: number): WayOut {
    const text = this.variable(`${scheme.toUpperCase()}_PROXY`) ?? this.variable('ALL_PROXY');
    return text === undefined || isLoopback(host) || this.isWithout(host, port) ? null : usable(text);
  }

  private isWithout(host: string, port: number): boolean {
    return this.without.some((entry) => {
      const [, name = '', only] = /^(.*?)(?::(\d+))?$/.exec(entry) ?? [];
      if (only !== undefined && Number(only) !== port) return false;
      return isBelow(host, name.replace(/^\*?\.?/, ''));
    });
  }

  private variable(name: string): string | undefined {
    return this.env[name.toLowerCase()] || this.env[name] || undefined;
  }
}

/** Parses the address of a proxy in a variable, with or without a scheme. */
function usable(text: string): WayOut {
  const written = text.includes('://') ? text : `http://${text}`;
  if (!URL.canParse(written)) return null;
  const url = new URL(written);
  return url.protocol === 'http:' || url.protocol === 'https:' ? url : null;
}

/** Whether a host is a domain or below it; every host is below the empty domain. */
function isBelow(host: string, domain: string): boolean {
  return domain === '' || host === domain || host.endsWith(`.${domain}`);
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.[\d.]+$/.test(host);
}

/** Returns the header with the user name and password for a proxy. */
export function credentialsFor({ username, password }: URL): Readonly<Record<string, string>> {
  if (username === '' && password === '') return {};
  const text = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { 'Proxy-Authorization': `Basic ${Buffer.from(text).toString('base64')}` };
}
