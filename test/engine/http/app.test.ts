import type { Server } from 'node:http';
import express from 'express';
import request from 'supertest';
import { createApp, type Plane } from '../../../engine/http/app.js';
import { createHttpServer } from '../../../engine/http/server.js';

function plane(path: string): Plane {
  return {
    path,
    handler: async (req, res) => {
      res.setHeader('Content-Type', 'text/plain');
      if (req.url.startsWith('/late')) await Promise.resolve();
      if (req.url.endsWith('broken')) throw new Error('it broke');
      if (req.url.endsWith('half')) {
        res.writeHead(200, { 'Content-Length': '10' });
        res.write('half');
        throw new Error('it broke in between');
      }
      res.end(`${path} serves ${req.url} of ${req.originalUrl}, ${req.accepts('text') === false ? '' : 'as text'}`);
    },
    onError: (error, _req, res) => {
      res.writeHead(500, { 'Content-Type': 'text/plain' });
      res.end(`${path} reports ${error instanceof Error ? error.message : ''}`);
    },
  };
}

const app = createApp([plane('/__own__'), plane('/')]);
const outer = express().use('/below', app);

describe.each<[string, Server, string]>([
  ['on a server of its own', createHttpServer(app), ''],
  ['on a plain server, in another app', createHttpServer(outer), '/below'],
])('the app of both APIs %s', (_name, server, prefix) => {
  test.each([
    ['/books?page=2', `/ serves /books?page=2 of ${prefix}/books?page=2, as text`],
    ['/late', `/ serves /late of ${prefix}/late, as text`],
    ['/__own__/books', `/__own__ serves /books of ${prefix}/__own__/books, as text`],
    ['/__OWN__/books', `/__own__ serves /books of ${prefix}/__OWN__/books, as text`],
    ['/__owner__', `/ serves /__owner__ of ${prefix}/__owner__, as text`],
  ])('serves %s', async (path, expected) => {
    const response = await request(server).get(prefix + path);
    expect(response.text).toBe(expected);
  });

  test.each([
    ['/broken', '/ reports it broke'],
    ['/late/broken', '/ reports it broke'],
    ['/__own__/broken', '/__own__ reports it broke'],
  ])('reports what breaks: %s', async (path, expected) => {
    const response = await request(server).get(prefix + path);
    expect([response.status, response.text]).toEqual([500, expected]);
  });

  test('breaks off what broke in between', async () => {
    await expect(request(server).get(`${prefix}/half`)).rejects.toThrow();
  });
});
