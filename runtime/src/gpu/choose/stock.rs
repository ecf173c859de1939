//! Which of a loop's modules are loaded on a device, and which are ordered.

use std::sync::Arc;

use super::kept;
use super::offloaded::Loop;
use crate::base::lock::lock;
use crate::device::context::Context;
use crate::gpu::load::kernel::Loaded;
use crate::gpu::load::workshop::{Order, Stocked, compiles_beside_calls};

impl Loop {
    /// A module's order, if it was loaded or ordered for this loop. Finding it in the context takes a pass over its text.
    pub(in crate::gpu) fn stocked(&self, context: &Context, module: usize) -> Option<Arc<Order>> {
        let all = lock(&self.stock);
        let same = all
            .iter()
            .find(|s| s.context == context.id && s.module == module)?;
        Some(Arc::clone(&same.order))
    }

    /// A module's kernel, loaded by this thread if it has not been loaded.
    pub(in crate::gpu) fn load_now(&self, context: &Context, module: usize) -> Loaded {
        if let Some(Ok(kernel)) = self
            .stocked(context, module)
            .as_deref()
            .and_then(Order::done)
        {
            return Ok(Arc::clone(kernel));
        }
        let of = &self.modules[module];
        let kernel = kept::of(context).workshop.kernels.kernel(context, of)?;
        let order = Order::fulfilled(of.clone(), Ok(Arc::clone(&kernel)));
        self.put(context, module, Arc::new(order));
        Ok(kernel)
    }

    /// A module's order, placed now if that has not been done. Where the device compiles at no cost, it is done.
    pub(in crate::gpu) fn order(&self, context: &Arc<Context>, module: usize) -> Arc<Order> {
        if let Some(order) = self.stocked(context, module) {
            return order;
        }
        let of = &self.modules[module];
        let workshop = &kept::of(context).workshop;
        let order = match compiles_beside_calls(context) {
            true => workshop.order(context, of),
            false => {
                let loaded = workshop.kernels.kernel(context, of);
                Arc::new(Order::fulfilled(of.clone(), loaded))
            }
        };
        self.put(context, module, Arc::clone(&order));
        order
    }

    fn put(&self, context: &Context, module: usize, order: Arc<Order>) {
        let mut all = lock(&self.stock);
        // Two threads may have come to it.
        all.retain(|s| (s.context, s.module) != (context.id, module));
        all.push(Stocked {
            context: context.id,
            module,
            order,
        });
    }
}
