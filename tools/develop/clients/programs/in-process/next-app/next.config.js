export default { serverExternalPackages: ['@vendor-sandbox/sandbox'], output: 'standalone' };
