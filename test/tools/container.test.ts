import { execSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { parse, parseAllDocuments } from 'yaml';
import type { Json } from '../../engine/values/index.js';
import { runCommand } from '../support/command.js';
import { manifests, rendered } from '../../tools/develop/generate/manifests.js';
import { ROOT } from '../support/root.js';

/** What `tools/container` has for other machines: read here, since no cluster is. */

const read = (name: string): string => readFileSync(join(ROOT, 'tools', 'container', name), 'utf8');

interface Labels {
  readonly matchLabels: Readonly<Record<string, string>>;
}

interface Probe {
  readonly httpGet: { readonly path: string };
  readonly periodSeconds: number;
}

interface Deployment {
  readonly selector: Labels;
  readonly template: {
    readonly metadata: { readonly labels: object };
    readonly spec: {
      readonly terminationGracePeriodSeconds: number;
      readonly containers: readonly [
        {
          readonly args: readonly string[];
          readonly ports: readonly [{ readonly name: string; readonly containerPort: number }];
          readonly readinessProbe: Probe;
          readonly livenessProbe: Probe;
          readonly securityContext: object;
        },
      ];
    };
  };
}

interface Policy {
  readonly podSelector: Labels;
  readonly policyTypes: readonly string[];
  readonly ingress: readonly [{ readonly ports: readonly object[] }];
  readonly egress: readonly { readonly to?: unknown; readonly ports?: unknown }[];
}

interface Monitor {
  readonly podMetricsEndpoints: readonly object[];
}

interface Rules {
  readonly groups: readonly { readonly rules: readonly { readonly expr: string }[] }[];
}

function specOf<Spec>(file: string, kind: string): Spec {
  for (const each of parseAllDocuments(read(file))) {
    expect(each.errors).toEqual([]);
    const resource = each.toJS() as { readonly kind: string; readonly spec: Spec };
    if (resource.kind === kind) return resource.spec;
  }
  throw new Error(`${file} has no ${kind}`);
}

const KUBERNETES = 'kubernetes.yaml';
const deployment = specOf<Deployment>(KUBERNETES, 'Deployment');
const pod = deployment.template.spec;
const [container] = pod.containers;

test('the manifests start the command with options that it has', async () => {
  const { stdout } = await runCommand(['serve', '--help']);
  const known = new Set([...stdout.matchAll(/^ +(?:-\w, )?(--[\w-]+)/gm)].map(([, name]) => name));
  const compose = parse(read('compose.yaml'), { merge: true }) as { services: Record<string, { command?: string[] }> };
  const commands = [[...container.args], ...Object.values(compose.services).map(({ command = [] }) => command)];
  const options = commands.flat().flatMap((each) => /^(--[\w-]+)/.exec(each)?.[1] ?? []);
  expect(options.length).toBeGreaterThan(15);
  expect(options.filter((each) => !known.has(each))).toEqual([]);
});

test('a replica has the time that leaving takes, and the probes are paths that it serves', () => {
  const leaving = container.args.map((each) => /^--leave-after=(\d+)s$/.exec(each)?.[1]).find(Boolean);
  expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(Number(leaving) + 10);
  // A balancer has looked twice by then.
  const { periodSeconds } = container.readinessProbe;
  expect(Number(leaving)).toBeGreaterThan(2 * periodSeconds);
  expect([container.readinessProbe, container.livenessProbe].map(({ httpGet }) => httpGet.path)).toEqual([
    '/readyz',
    '/healthz',
  ]);
});

test('a replica has no rights, and its policies are about its pods', () => {
  expect(pod).toMatchObject({ automountServiceAccountToken: false, securityContext: { runAsNonRoot: true } });
  expect(container.securityContext).toEqual({
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ['ALL'] },
  });
  const { labels } = deployment.template.metadata;
  const policy = specOf<Policy>(KUBERNETES, 'NetworkPolicy');
  const budget = specOf<{ readonly selector: Labels }>(KUBERNETES, 'PodDisruptionBudget');
  const service = specOf<{ readonly selector: object }>(KUBERNETES, 'Service');
  const selected = [policy.podSelector, deployment.selector, budget.selector];
  for (const { matchLabels } of selected) expect(matchLabels).toEqual(labels);
  expect(service.selector).toEqual(labels);
  expect(policy.policyTypes).toEqual(['Ingress', 'Egress']);
  expect(policy.ingress[0].ports).toEqual([{ port: container.ports[0].containerPort }]);
  // Without egress to anywhere there is a list of what may be called.
  expect(policy.egress.every((rule) => rule.to || rule.ports)).toBe(true);
});

test('what warns is about numbers that a replica has', () => {
  const monitor = specOf<Monitor>('prometheus.yaml', 'PodMonitor');
  const { groups } = specOf<Rules>('prometheus.yaml', 'PrometheusRule');
  expect(monitor.podMetricsEndpoints[0]).toMatchObject({ port: container.ports[0].name, path: '/metrics' });
  const source = readFileSync(join(ROOT, 'tools', 'observe', 'metrics.ts'), 'utf8');
  const named = groups[0].rules.flatMap(({ expr }): readonly string[] => expr.match(/sandbox_\w+/g) ?? []);
  expect(named.length).toBeGreaterThan(2);
  for (const name of named) expect(source).toContain(`'${name.replace(/_bucket$/, '')}'`);
});

test('the image says its licence and what is in it, and each of its libraries has a licence that allows that', () => {
  const file = read('Dockerfile');
  for (const name of ['title', 'licenses', 'version', 'revision'])
    expect(file).toContain(`org.opencontainers.image.${name}=`);
  expect(file).toMatch(/COPY --from=build .*LICENSE.*sbom\.cdx\.json/);
  // Where the image is built, the packages for development are not installed.
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-image-'));
  for (const name of ['package.json', 'package-lock.json']) copyFileSync(join(ROOT, name), join(folder, name));
  const [, command] = /&& (npm sbom [^>]+)>/.exec(file) ?? [];
  const listed = JSON.parse(execSync(command, { cwd: folder, encoding: 'utf8' })) as { components: unknown[] };
  rmSync(folder, { recursive: true });
  expect(listed.components.length).toBeGreaterThan(20);
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { dev?: boolean; license?: string }>;
  };
  const served = Object.entries(packages).filter(([path, { dev }]) => path !== '' && dev !== true);
  expect(served.length).toBeGreaterThan(20);
  const allowed = ['MIT', 'ISC', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', '0BSD', 'BlueOak-1.0.0'];
  expect(served.filter(([, { license }]) => !allowed.includes(String(license)))).toEqual([]);
});

const template = read('chart/templates/sandbox.yaml');
const values = parse(read('chart/values.yaml')) as Record<string, Json>;

test('what kubectl applies is what the chart renders', () => {
  expect(read(KUBERNETES)).toBe(manifests());
});

test('a template of the chart has values that are there and that its schema knows', () => {
  const schema = JSON.parse(read('chart/values.schema.json')) as { properties: object };
  const isValid = new Ajv({ strict: false }).compile(schema);
  expect(isValid(values)).toBe(true);
  expect(isValid({ ...values, replica: 3 })).toBe(false);
  const used = new Set([...template.matchAll(/\.Values\.(\w+)/g)].map(([, name]) => name));
  expect([...used].sort()).toEqual(Object.keys(values).sort());
  expect(Object.keys(schema.properties).filter((name) => name !== 'global')).toEqual(Object.keys(values));
  expect(() => rendered('{{ .Values.image }}', { Values: {} })).toThrow('the chart has no .Values.image');
});

test('another release has its own names, address, files and variables', () => {
  const own = {
    ...values,
    options: [],
    packs: ['./packs/ours'],
    env: [{ name: 'SANDBOX_METRICS_KEY', value: 'k' }],
    mounts: [{ name: 'packs', mountPath: '/packs' }],
    volumes: [{ name: 'packs', configMap: { name: 'packs' } }],
  };
  const documents = parseAllDocuments(rendered(template, { Release: { Name: 'billing' }, Values: own }));
  expect(documents.flatMap(({ errors }) => errors)).toEqual([]);
  const resources = documents.map((each) => each.toJS() as { metadata: { name: string } });
  expect(resources.map(({ metadata }) => metadata.name)).toEqual(Array(resources.length).fill('billing'));
  const [{ spec }] = resources as [{ metadata: { name: string }; spec: Deployment }];
  const [{ args, ...started }] = spec.template.spec.containers;
  expect(args).toContain('--public-url=http://billing');
  expect(args.slice(0, 2)).toEqual(['serve', './packs/ours']);
  expect(started).toMatchObject({ env: [{}, {}, {}, own.env[0]], volumeMounts: [{ name: 'tmp' }, own.mounts[0]] });
  expect(spec.template.spec).toMatchObject({ volumes: [{ name: 'tmp' }, own.volumes[0]] });
});
