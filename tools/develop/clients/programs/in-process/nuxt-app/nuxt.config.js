export default defineNuxtConfig({ telemetry: false, ssr: true, compatibilityDate: '2026-01-01' });
