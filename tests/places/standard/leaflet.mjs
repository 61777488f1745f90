// Asks a server with Leaflet's geocoder control, in a document of jsdom: node leaflet.mjs URL MODULES.
import { createRequire } from "node:module";

const [url, modules] = process.argv.slice(2);
const { JSDOM } = createRequire(`${modules}/`)("jsdom");
const { window } = new JSDOM("<!doctype html><html><body></body></html>", { url: "http://localhost/" });
Object.assign(globalThis, { window, document: window.document, HTMLElement: window.HTMLElement });
Object.defineProperty(globalThis, "navigator", { value: window.navigator, configurable: true });
const { default: L } = await import(`${modules}/leaflet/dist/leaflet-src.js`);
globalThis.L = window.L = L;
const { geocoders } = await import(`${modules}/leaflet-control-geocoder/dist/Control.Geocoder.modern.js`);
const english = { "accept-language": "en" };
const geocoder = geocoders.nominatim({ serviceUrl: url, geocodingQueryParams: english, reverseQueryParams: english });
const shown = ({ name, center, bbox, properties }) => ({
  name,
  lat: center.lat,
  lon: center.lng,
  bbox: bbox.toBBoxString(),
  country: properties.address.country,
});
const found = await geocoder.geocode("5 Harbour Street, Port Aurel");
const there = await geocoder.reverse(L.latLng(-26.5027, 179.75), 256 * 2 ** 18);
console.log(JSON.stringify({ found: found.map(shown), there: there.map(shown) }));
