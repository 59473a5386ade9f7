//! From inputs to users: the pose of every node that is seen, and its root motion.
//!
//! Each node writes into a place of its own and reads those of its inputs. Root-motion deltas are mixed as
//! screws, by how much each was seen over the whole frame; poses by how much at its end.

use sinew_scene::glam::Vec3;

use super::compiled::{CompiledGraph, Kind, Number};
use super::player::GraphPlayer;
use crate::mask::part;
use crate::rigid::Screw;
use crate::{Layer, Mirror, Root, add, blend, sample};

impl GraphPlayer {
    pub(crate) fn evaluate(&mut self, plan: &CompiledGraph, seconds: f32) {
        for node in 0..plan.steps.len() {
            self.screws[node] = match &plan.root {
                Some(root) if self.mean[node] > 0.0 && seconds > 0.0 => {
                    self.delta(plan, node, root)
                }
                _ => Screw::default(),
            };
            if self.now[node] > 0.0 {
                self.pose_of(plan, node);
                std::mem::swap(&mut self.spare, &mut self.poses[plan.steps[node].slot]);
            } else if let Kind::States(machine) = plan.steps[node].kind
                && let Some(inertialization) = &mut self.inertializations[machine]
            {
                inertialization.forget();
            }
        }
    }

    fn delta(&self, plan: &CompiledGraph, node: usize, root: &Root) -> Screw {
        let edges = plan.steps[node].edges.clone();
        let input = |at: usize| self.screws[plan.edges[edges.start + at]];
        let mut out = Screw::default();
        match &plan.steps[node].kind {
            Kind::Clip(clip) => {
                let work = &plan.clips[*clip];
                if let Some(tracks) = &work.tracks {
                    let delta =
                        root.rigid_delta(&plan.scene.clips[work.clip], tracks, &self.steps[*clip]);
                    out = delta.log();
                }
            }
            Kind::Blend(_) | Kind::BlendSpace(..) | Kind::States(_) => {
                for edge in edges.clone() {
                    out.add(self.screws[plan.edges[edge]], self.edge_mean[edge]);
                }
            }
            Kind::Layer(weight, veil) => {
                let weight =
                    part(weight.of(&self.values)) * veil.as_ref().map_or(1.0, |v| v.at_root);
                out.add(input(0), 1.0 - weight);
                out.add(input(1), weight);
            }
            Kind::Mask(veil) => {
                out.add(input(0), veil.at_root);
                if edges.len() > 1 {
                    out.add(input(1), 1.0 - veil.at_root);
                }
            }
            Kind::Mirror(mirror) => out = mirrored(input(0), mirror),
            Kind::Additive(..) | Kind::TwoBone(..) | Kind::LookAt(..) | Kind::Cache => {
                out = input(0);
            }
        }
        out
    }

    /// Writes a node's pose into `spare`.
    fn pose_of(&mut self, plan: &CompiledGraph, node: usize) {
        let edges = plan.steps[node].edges.clone();
        let (poses, out, values) = (&self.poses, &mut self.spare, &self.values);
        let input = |at: usize| &poses[plan.steps[plan.edges[edges.start + at]].slot];
        match &plan.steps[node].kind {
            Kind::Clip(clip) => {
                let work = &plan.clips[*clip];
                let time = match work.sync {
                    None => self.players[*clip].time(),
                    Some((group, member)) => self.syncs[group].time(member),
                };
                sample(&plan.scene.clips[work.clip], time, &mut self.cursors[*clip], out);
                if let Some(root) = &plan.root {
                    root.hold(out);
                }
            }
            Kind::Blend(_) | Kind::BlendSpace(..) => {
                let shares = self.edge_now[edges.clone()].iter().enumerate();
                blend(shares.map(|(at, &share)| Layer::new(input(at), share)), out);
            }
            Kind::States(machine) => {
                let shares = self.edge_now[edges.clone()].iter().enumerate();
                blend(shares.map(|(at, &share)| Layer::new(input(at), share)), out);
                if let Some(inertialization) = &mut self.inertializations[*machine] {
                    inertialization.apply(out, self.seconds[node]);
                }
            }
            Kind::Layer(weight, veil) => {
                let weight = part(weight.of(values));
                let (base, over) =
                    (Layer::new(input(0), 1.0 - weight), Layer::new(input(1), weight));
                match veil {
                    None => blend([base, over], out),
                    Some(veil) => {
                        let kept = Layer::new(input(0), weight).masked(&veil.inverse);
                        blend([base, kept, over.masked(&veil.mask)], out);
                    }
                }
            }
            Kind::Additive(weight, reference, mask) => {
                out.copy_from(input(0));
                let weight = part(weight.of(values));
                if weight > 0.0 {
                    add(out, input(1), reference, weight, mask.as_ref());
                }
            }
            Kind::Mask(veil) => {
                let other = if edges.len() > 1 { input(1) } else { &plan.rest };
                let seen = Layer::new(input(0), 1.0).masked(&veil.mask);
                blend([seen, Layer::new(other, 1.0).masked(&veil.inverse)], out);
            }
            Kind::Mirror(mirror) => {
                out.copy_from(input(0));
                mirror.apply(out, plan.scene.skeleton());
            }
            Kind::TwoBone(limb, target, weight) => {
                out.copy_from(input(0));
                out.to_model(plan.scene.skeleton());
                let mut limb = *limb;
                limb.weight = part(weight.of(values));
                limb.apply(out, plan.scene.skeleton(), place(target, values));
            }
            Kind::LookAt(_, look, target, weight) => {
                out.copy_from(input(0));
                out.to_model(plan.scene.skeleton());
                let (look, gaze) = &mut self.looks[*look];
                look.weight = part(weight.of(values));
                let (target, seconds) = (Some(place(target, values)), self.seconds[node]);
                look.apply(out, plan.scene.skeleton(), target, gaze, seconds);
            }
            Kind::Cache => out.copy_from(input(0)),
        }
    }
}

fn place(target: &[Number; 3], values: &[f32]) -> Vec3 {
    let [x, y, z] = target.map(|number| number.of(values));
    Vec3::new(x, y, z)
}

/// A rotation in a mirror goes in the other direction, except about the mirror's own axis.
fn mirrored(screw: Screw, mirror: &Mirror) -> Screw {
    let normal = mirror.plane().normal().as_dvec3();
    let across = |v: sinew_scene::glam::DVec3| v - normal * (2.0 * normal.dot(v));
    Screw { rotation: -across(screw.rotation), shift: across(screw.shift) }
}
