/** Going to a place of a recording: what a link, or a sentence beside an embedded player, asked for. */
import { isExpression } from "./trace/asking/grammar.js";

/** @param {import("./player/player.js").Player} player with a recording @param {import("./link.js").Place} place @returns {boolean} whether it names a step */
export function arrive(player, place) {
  const { index } = player;
  if (!index) return false;
  const { trace } = index;
  if (place.view && place.view.graph < trace.count.graphs && place.view.plan < trace.count.plans) player.show(place.view);
  player.setGrain(place.by);
  player.setStops(place.stops.filter((stop) => stop.kind !== "node" || stop.node < trace.count.nodes));
  player.setWatches(place.watches);
  player.setQuery(place.find);
  return goThere(player, place) && place.step >= 0;
}

/** Only the step, the line and the node of a place: all else stays as it is. @param {import("./player/player.js").Player} player @param {import("./link.js").Place} place @returns {boolean} whether there is such a place */
export function goThere(player, place) {
  const { index } = player;
  if (!index) return false;
  const node = place.node >= 0 && place.node < index.trace.count.nodes ? place.node : -1;
  let found = node >= 0 || isExpression(place.name);
  if (place.step >= 0) {
    player.goTo(Math.min(place.step, index.stepCount - 1));
    found = true;
  } else if (place.line > 0) found = player.runTo(place.line) || found;
  else if (node >= 0 && index.trace.nodes.seq[node] >= index.limit(player.step)) player.goTo(index.stepOf(index.trace.nodes.seq[node]));
  if (node >= 0) player.select(node);
  if (isExpression(place.name)) player.choose(place.name, player.selected);
  return found;
}
