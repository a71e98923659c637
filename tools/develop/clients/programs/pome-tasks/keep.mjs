/** A check that always holds: keeps what the world has in the end. */
import { writeFileSync } from 'node:fs';

const { SANDBOX_URL: url, SANDBOX_KEY: key } = process.env;
const response = await fetch(`${url}/__admin__/state`, { headers: { authorization: `Bearer ${key}` } });
writeFileSync('final.json', JSON.stringify((await response.json()).resources));
console.log('{"score": 1}');
