import {
  above,
  but,
  either,
  hasSibling,
  isKeyword,
  isLanguage,
  type Mutation,
  misspeltKey,
  misspeltValue,
  places,
  replacedPart,
  type Where,
} from './mutation.js';

/** A mutation of a name that the language resolves. */
const reference = (where: Where): Mutation =>
  misspeltValue((spot, subject) => isLanguage(spot) && where(spot, subject), /^[A-Za-z_.][\w.]*$/);

/** A mutation of a name in expressions and texts. */
const inTexts = (part: RegExp): Mutation =>
  misspeltValue((_spot, { file }) => file.kind !== 'example' && file.kind !== 'task', part);

/** A mutation of names without a colon in `{ }`: `{ intent, amount! }`. */
const blank =
  (where: Where): Where =>
  (spot, subject) =>
    spot.kind === 'empty' && spot.flow && where(spot, subject);

const ENUM_KEYS = '{on,kind,unknown_parameters,requests,timestamps,digest,key,update,keep}';
const CLOSED = '{on_delete,algorithm,digest,etag,of,basic,kind,format,update}';
const typed = places('**/{fields,params,args,columns}/* **/{type,items}');
const removed = misspeltValue(places('changes/*/resources/*/remove/**', 'version'), /^\w+/);
const changed = misspeltKey(places('changes/*/resources/*/{rename,change}/*', 'version'), /^\w+/);

/** Mutations that misspell keys and names. */
export const NAME_KINDS: Readonly<Record<string, Mutation>> = {
  'misspelt key': misspeltKey((spot, subject) => isKeyword(subject, spot)),
  'misspelt resource (ref, create)': reference(places('**/stands_for **/ref **/ref/:n **/:n/create')),
  'misspelt resource of a subject': reference(
    places(
      '**/subject/**/resource {events,delivery}/**/resource **/subject/**/resource/:n {events,delivery}/**/resource/:n',
    ),
  ),
  'misspelt flow': reference(places('**/:n/run')),
  'misspelt error': reference(
    places('**/:n/{fail,error} **/{refusals,scenarios}/**/{fail,error} **/{refusals,scenarios}/**/{fail,error}/:n'),
  ),
  'misspelt trigger': reference(places('**/:n/send')),
  'misspelt event': reference(places('**/:n/emit')),
  'misspelt object of a step': reference(places('**/:n/{set,delete,object}')),
  'misspelt state (target)': misspeltValue(
    ({ path, scalar }, { spots }) =>
      path[0] === 'machine' &&
      spots.some(({ path: [, at, state, ...more] }) => at === 'states' && state === scalar?.value && more.length === 0),
  ),
  'misspelt guard': reference(places('machine/**/guard machine/**/guard/:n')),
  'misspelt action': reference(places('machine/**/{entry,exit,actions} machine/**/{entry,exit,actions}/:n')),
  'misspelt delay': misspeltKey(places('machine/**/after/*')),
  'misspelt type': misspeltValue(
    but(
      (spot, subject) => isLanguage(spot) && typed(spot, subject),
      either(places('**/{with,body}/**'), places('**', 'pack')),
    ),
    /^[a-z_]+\??$/,
  ),
  'misspelt state of an event or pin': reference(places('{events,pins}/**/{enter,at} {events,pins}/**/{enter,at}/:n')),
  'misspelt field (order, indexes)': reference(places('{order,indexes} {order,indexes}/:n')),
  'misspelt field (with, to)': misspeltKey((spot, subject) => {
    const [step, key] = [above(spot, 2), spot.path.at(-2)];
    return (
      typeof spot.path.at(-3) === 'number' &&
      (key === 'to' || key === 'with') &&
      hasSibling(subject, step, [key === 'to' ? 'set' : 'create'])
    );
  }, /^\w+$/),
  'misspelt argument of a flow or error': misspeltKey(
    (spot, subject) => spot.path.at(-2) === 'with' && hasSibling(subject, above(spot, 2), ['run', 'fail']),
  ),
  'misspelt table or format': reference(but(places('**/format **/from **/from/:n'), places('**', 'browser'))),
  'misspelt enum word': reference(
    either(
      places(`events/**/${ENUM_KEYS} events/**/${ENUM_KEYS}/:n`, 'resource'),
      places(`**/${ENUM_KEYS} **/${ENUM_KEYS}/:n`, 'pack'),
      places('**/{update,kind}'),
    ),
  ),
  'misspelt operation of a limit': misspeltValue(places('rate_limits/*/{operations,except}/**', 'pack'), /^\w+(?=[.])/),
  'misspelt error of a limit': misspeltValue(places('rate_limits/*/error/**', 'pack')),
  'misspelt fact of a limit': misspeltValue(
    places('rate_limits/*/headers/**', 'pack'),
    /(?<=\$\{(?:unix\()?)\w+(?=\)?\})/,
  ),
  'misspelt word of a closed set': misspeltValue(
    either(
      places('rate_limits/*/kind/** delivery/transports/**/{algorithm,digest,encoding,key}/#'),
      but(places(`{ids,auth,answers}/**/${CLOSED}/#`, 'pack'), places('*/key/**')),
      places('**/on_delete/#', 'resource'),
    ),
  ),
  'misspelt resource or field of tokens': misspeltValue(places('auth/tokens/**/{resource,field}/#', 'pack')),
  'misspelt key that opens an operation': misspeltValue(places('operations/*/keys/**', 'resource')),
  'misspelt resource that seeds come after': misspeltValue(places('seeded/after/**', 'resource')),
  'misspelt path of a refused seed': misspeltValue(places('seeded/**/path/#', 'resource'), /^\w+/),
  'misspelt fact of a list': misspeltValue(places('**/lists/**/{envelope,headers}/**'), /(?<=\$\{)\w+(?=\})/),
  'misspelt resource of a version': misspeltKey(places('changes/*/resources/*', 'version')),
  'misspelt field of a version': (subject, random) => (random.below(2) === 0 ? changed : removed)(subject, random),
  'misspelt operation of a version': misspeltKey(places('changes/*/operations/*', 'version')),
  // `move` creates its target names; only the source names must exist.
  'misspelt parameter of a version': misspeltKey(
    places('changes/*/operations/*/move/*/to/* changes/*/operations/*/{rename,refuse}/*', 'version'),
    /^\w+/,
  ),
  'misspelt error of a version': misspeltValue(places('changes/*/operations/*/refuse/**', 'version')),
  'misspelt switch of a version': misspeltValue(places('**'), /(?<=version\.has\(')\w+(?='\))/),
  'misspelt name of the library': misspeltValue(
    places('key/** methods/*/{operation,page,id,again}/**', 'browser'),
    /^\w+/,
  ),
  'misspelt argument of the library': misspeltValue(
    places('methods/*/sends/* methods/*/sends/*/from/**', 'browser'),
    /^\w+/,
  ),
  'misspelt parameter of the library': misspeltKey(places('methods/*/sends/*', 'browser'), /^\w+/),
  'misspelt operation of the client': misspeltKey(places('client/calls/*', 'pack'), /^\w+/),
  'misspelt collection of the client': misspeltKey(places('client/resources/*', 'pack')),
  'forgotten =': (subject, random) => {
    const spot = random.pick(
      subject.spots.filter(
        ({ scalar }) => typeof scalar?.value === 'string' && /^=(?:self|params|vars)(?:\.\w+)+$/.test(scalar.value),
      ),
    );
    if (!spot?.scalar || subject.file.kind === 'browser') return undefined;
    const start = spot.start + (spot.scalar.quoted ? 1 : 0);
    return replacedPart(subject, start, start + 1, '', `${spot.path.join('.')}: = left out`);
  },
  'misspelt name without a colon': misspeltKey(blank(but(places('**/{with,to,return,body}/*'), places('fields/**')))),
  'misspelt parameter by name': misspeltKey(blank(places('operations/**/params/*')), /^\w+/),
  'misspelt key of an error': misspeltKey(places('errors/*/*', 'errors')),
  'misspelt reference of get': inTexts(/(?<=\bget\(self\.)[a-z_]+(?=\))/),
  'misspelt path of at': inTexts(/(?<=\bat\(self\.\w+, ')[a-z_]+/),
  'misspelt pure flow': inTexts(/(?<=^=|\(|, )[a-z]+_[a-z_]+(?=\()/),
  'misspelt parent': misspeltValue(places('parent', 'resource')),
  'misspelt word of access': misspeltValue(places('access/**/for/** access/**/else/#', 'resource')),
  'misspelt resource of the actor': misspeltValue(places('auth/actor/resource/**', 'pack')),
  'misspelt order of a list': misspeltValue(
    either(places('**/lists/**/order/**/values/**', 'resource'), places('**/lists/**/order/**/values/**', 'pack')),
  ),
  'misspelt field of a sort': misspeltValue(places('operations/*/sort/** operations/**/sort/**/fields/**', 'resource')),
  'misspelt moment of a wait': misspeltValue(places('waits/*/{after,on,enter}', 'resource'), /^\w+$/),
  'misspelt wait of a step': misspeltValue(places('**/wait')),
  'misspelt field of a shape': misspeltValue(places('shapes/**', 'resource')),
  'misspelt shape': misspeltValue(places('operations/*/shape/**', 'resource')),
  'misspelt shape of rest': inTexts(/(?<=\brest\(\w+, ')\w+(?='\))/),
  'misspelt field of ids by kind': misspeltValue(places('id/by/**', 'resource')),
  'misspelt kind of ids by kind': misspeltKey(places('id/prefix/*', 'resource')),
  'misspelt field of an initial object': misspeltKey(places('initial/*/*', 'resource')),
  'misspelt field of a tag': misspeltValue(places('tag/{modified,required}/**', 'resource')),
  'misspelt cause of a socket': misspeltValue(places('**/socket/**/{opened,closed,refused}/#', 'pack')),
  'misspelt transport': misspeltValue(places('delivery/endpoint/transport/**', 'pack'), /(?<=(?<!= )')\w+(?=')/),
  'misspelt name by value': misspeltValue(
    but(places('**/{emit,fail}'), places('**', 'example')),
    /^[a-z_.]{3,}(?=\$\{)/,
  ),
  'misspelt collection of seed data': misspeltKey(places('resources/*', 'seed')),
  'misspelt field of seed data': misspeltKey(places('resources/*/*/*', 'seed')),
  // Other names in tasks can be chosen freely.
  'misspelt word of a task': misspeltKey(but(places('* */* */*/*', 'task'), places('agents/*'))),
};
