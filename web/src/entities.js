// Named characters such as `&copy;`, decoded by the browser, which knows them all.

const parser = new DOMParser();

export const decodeHTMLStrict = (entity) => parser.parseFromString(entity, "text/html").documentElement.textContent;
